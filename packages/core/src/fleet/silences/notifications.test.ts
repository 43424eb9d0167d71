import { describe, expect, test } from "vitest";
import { cradleProbe } from "../../../test/engine.ts";
import { hot, invocations, join, ping } from "../../../test/fleet/alert-setup.ts";
import { type Fleet, useFleets } from "../../../test/fleet/fleet.ts";
import { activeJobCollection } from "../../work/jobs/collection.ts";
import type { JobState } from "../../work/jobs/model.ts";

const start = useFleets();
const both = { alert_universal_actions: [ping, { ...ping, condition: "alert_cleared" }] };
const END = 4_000_000_000;

async function setUp() {
  const probe = cradleProbe();
  const fleet = await start({ config: both, plugins: [probe.plugin] });
  await fleet.signalbox.api.createAlert({ ...hot, tags: ["heat"] });
  return { fleet, api: fleet.signalbox.api, server: await join(fleet), cradle: probe.cradle() };
}

/** Conditions for which something was sent, in order. */
const sent = ({ told }: Fleet): string[] => told.batches.map(({ key }) => key.split(":")[1] ?? "");

describe("a silence", () => {
  test.each<[string, Record<string, unknown>]>([
    ["server", { servers: ["s1"] }],
    ["group", { groups: ["main"] }],
    ["alert", { alerts: ["hot"] }],
    ["tag of the alert", { tags: ["heat"] }],
    ["severity", { severities: ["warning"] }],
  ])("by %s holds the notice back; the invocation is recorded and says why", async (_how, scope) => {
    const { fleet, api, server } = await setUp();
    await api.createSilence({ id: "works", title: "Works", end: END, ...scope });
    await fleet.minute(server, { temp: 60 });
    const firedAt = Math.floor(fleet.clock.now());
    await fleet.settle();
    expect(sent(fleet)).toEqual([]);
    const [invocation] = await invocations(fleet);
    expect(invocation).toMatchObject({ active: true, notified: true });
    expect(invocation?.actions).toBeUndefined();
    expect(invocation?.suppressed).toEqual([
      {
        condition: "alert_new",
        date: firedAt,
        last: firedAt,
        count: 1,
        by: { kind: "silence", id: "works", title: "Works" },
      },
    ]);
  });

  test.each<[string, Record<string, unknown>]>([
    ["for another server", { servers: ["s2"] }],
    ["for other severities", { severities: ["info", "critical"] }],
    ["for another alert on this server", { servers: ["s1"], alerts: ["cold"] }],
    ["that is disabled", { servers: ["s1"], enabled: false }],
    ["that has not begun", { servers: ["s1"], start: END - 1 }],
  ])("%s holds nothing back", async (_which, members) => {
    const { fleet, api, server } = await setUp();
    await api.createSilence({ title: "Works", end: END, ...members });
    await fleet.minute(server, { temp: 60 });
    await fleet.settle();
    expect(sent(fleet)).toEqual(["alert_new"]);
  });

  test("holds back no clearing from receivers that were notified of the firing", async () => {
    const { fleet, api, server } = await setUp();
    await fleet.minute(server, { temp: 60 });
    await fleet.settle();
    const { silence } = await api.createSilence({ title: "Works", servers: ["s1"], end: END });
    await fleet.minute(server, { temp: 40 });
    await fleet.settle();
    expect(sent(fleet)).toEqual(["alert_new", "alert_cleared"]);
    await fleet.minute(server, { temp: 60 });
    await fleet.minute(server, { temp: 40 });
    await fleet.settle();
    expect(sent(fleet)).toHaveLength(2);
    expect((await invocations(fleet)).flatMap(({ suppressed = [] }) => suppressed)).toMatchObject([
      { condition: "alert_new", by: { id: silence.id } },
    ]);
  });
});

describe("a job whose event silences alerts", () => {
  const job = (
    { cradle }: Awaited<ReturnType<typeof setUp>>,
    members: Record<string, unknown>,
    state: JobState = "active",
  ) =>
    cradle.transact(({ tx }) =>
      tx.collection(activeJobCollection).insert({
        id: "j1",
        job: { id: "j1", event: "patch", state, started: 0, server: "s1", ...members },
        details: {},
        launched: 0,
      } as never),
    );

  test("silences its server while it is active there", async () => {
    const at = await setUp();
    await job(at, { silence_alerts: true });
    await at.fleet.minute(at.server, { temp: 60 });
    await at.fleet.settle();
    expect((await invocations(at.fleet))[0]?.suppressed).toMatchObject([
      { by: { kind: "job", id: "j1", title: "patch" } },
    ]);
    await at.cradle.transact(({ tx }) => tx.collection(activeJobCollection).delete("j1"));
    await at.fleet.minute(at.server, { temp: 40 });
    await at.fleet.settle();
    // The alert ended before anything was sent, so receivers hear nothing.
    expect(sent(at.fleet)).toEqual([]);
  });

  test.each<[string, Record<string, unknown>, JobState]>([
    ["waits in a queue", { silence_alerts: true }, "queued"],
    ["runs on another server", { silence_alerts: true, server: "s2" }, "active"],
    ["does not request it", {}, "active"],
  ])("silences no alert when it %s", async (_how, members, state) => {
    const at = await setUp();
    await job(at, members, state);
    await at.fleet.minute(at.server, { temp: 60 });
    await at.fleet.settle();
    expect(sent(at.fleet)).toEqual(["alert_new"]);
  });
});

describe("the snooze", () => {
  test("holds everything back until its time; firings that are live then are reported", async () => {
    const { fleet, server, cradle } = await setUp();
    const until = Math.floor(fleet.clock.now()) + 90;
    await cradle.transact(({ tx }) => cradle.state.set(tx, "alert_snooze", until));
    await fleet.minute(server, { temp: 60 });
    await fleet.settle();
    expect(sent(fleet)).toEqual([]);
    await fleet.minute(server, { temp: 61 });
    await fleet.settle();
    expect(sent(fleet)).toEqual(["alert_new"]);
    expect((await invocations(fleet))[0]?.suppressed).toMatchObject([
      { condition: "alert_new", count: 1, by: { kind: "snooze", id: "alert_snooze" } },
    ]);
    await fleet.minute(server, { temp: 40 });
    await fleet.settle();
    expect(sent(fleet)).toEqual(["alert_new", "alert_cleared"]);
  });
});
