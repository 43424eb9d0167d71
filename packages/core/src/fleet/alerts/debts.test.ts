import { describe, expect, test } from "vitest";
import { cradleProbe } from "../../../test/engine.ts";
import { hot, invocations, join, ping } from "../../../test/fleet/alert-setup.ts";
import { type Fleet, type FleetOptions, useFleets } from "../../../test/fleet/fleet.ts";
import { memoryStorage } from "../../memory/memory-storage.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { activeJobCollection } from "../../work/jobs/collection.ts";

const start = useFleets();
const cleared = { ...ping, condition: "alert_cleared" };
const END = 4_000_000_000;

async function setUp(members: Record<string, unknown> = {}, options: FleetOptions = {}) {
  const probe = cradleProbe();
  const config = { alert_universal_actions: [ping, cleared] };
  const fleet = await start({ config, plugins: [probe.plugin], ...options });
  await fleet.signalbox.api.createAlert({ ...hot, ...members });
  return { fleet, api: fleet.signalbox.api, server: await join(fleet), cradle: probe.cradle() };
}
type At = Awaited<ReturnType<typeof setUp>>;

const minute = async ({ fleet, server }: Pick<At, "fleet" | "server">, temp: number): Promise<void> => {
  await fleet.minute(server, { temp });
  await fleet.settle();
};
const sent = ({ told }: Fleet): string[] => told.batches.map(({ key }) => key.split(":").slice(1).join(":"));
const texts = ({ told }: Fleet): string[] => told.batches.map(({ data }) => String(data["text"]));
const silence = (api: At["api"], more: Record<string, unknown> = {}) =>
  api.createSilence({ id: "works", title: "Works", servers: ["s1"], end: END, ...more });

describe("a firing that outlives its silence", () => {
  test.each<[string, (at: At) => Promise<unknown>]>([
    ["is deleted", ({ api }) => api.deleteSilence({ id: "works" })],
    ["is ended early", ({ api, fleet }) => api.updateSilence({ id: "works", end: Math.floor(fleet.clock.now()) })],
    ["is disabled", ({ api }) => api.updateSilence({ id: "works", enabled: false })],
    ["is about another server from now on", ({ api }) => api.updateSilence({ id: "works", servers: ["s2"] })],
  ])("is reported once within ten seconds when the silence %s", async (_how, end) => {
    const at = await setUp();
    await silence(at.api);
    await minute(at, 60);
    expect(sent(at.fleet)).toEqual([]);
    await end(at);
    await at.fleet.clock.advance(10);
    expect(sent(at.fleet)).toEqual(["alert_new"]);
    await minute(at, 61);
    await minute(at, 40);
    expect(sent(at.fleet)).toEqual(["alert_new", "alert_cleared"]);
  });

  test("is reported when its silence expires, with the text of that moment", async () => {
    const at = await setUp();
    await silence(at.api, { end: Math.floor(at.fleet.clock.now()) + 190 });
    await minute(at, 60);
    await minute(at, 61);
    expect(sent(at.fleet)).toEqual([]);
    await minute(at, 77);
    await at.fleet.clock.advance(30);
    expect(sent(at.fleet)).toEqual(["alert_new"]);
    expect(texts(at.fleet)[0]).toContain("77 degrees");
    expect(texts(at.fleet)[0]).toMatch(/ \(for [23] minutes; not told before: silence "Works"\)$/);
    expect(at.fleet.told.batches[0]?.data).toMatchObject({ alert: { message: "77 degrees, !" } });
  });

  test("is reported when the window of its silence closes", async () => {
    const at = await setUp();
    const wall = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(11, 16);
    const now = at.fleet.clock.now();
    const recurring = { from: wall(now), to: wall(now + 180), timezone: "UTC" };
    await silence(at.api, { end: null, recurring });
    await minute(at, 60);
    expect(sent(at.fleet)).toEqual([]);
    for (let count = 0; count < 3; count++) await minute(at, 60);
    expect(sent(at.fleet)).toEqual(["alert_new"]);
  });

  test("is reported once after a restart, by one of two nodes", async () => {
    const clock = fakeClock();
    const storage = memoryStorage({ clock });
    const at = await setUp({}, { clock, storage });
    await silence(at.api);
    await minute(at, 60);
    await at.api.deleteSilence({ id: "works" });
    await at.fleet.signalbox.stop();
    const config = { alert_universal_actions: [ping, cleared] };
    const next = await start({ config, clock, storage });
    const server = await join(next);
    await minute({ fleet: next, server }, 60);
    await clock.advance(60);
    expect([...sent(at.fleet), ...sent(next)]).toEqual(["alert_new"]);
  });

  test("is reported once by two leaders that evaluate it at the same time", async () => {
    const at = await setUp();
    await silence(at.api);
    await minute(at, 60);
    await at.api.deleteSilence({ id: "works" });
    const { signal } = new AbortController();
    const now = at.fleet.clock.now();
    await Promise.all([at.cradle.alerts.payDebts(now, signal), at.cradle.alerts.payDebts(now, signal)]);
    await at.fleet.clock.advance(30);
    expect(sent(at.fleet)).toEqual(["alert_new"]);
  });

  test("stays unreported while another silence or an acknowledgement holds it", async () => {
    const at = await setUp();
    await silence(at.api);
    await minute(at, 60);
    const [{ id } = { id: "" }] = await invocations(at.fleet);
    await at.api.acknowledgeAlertInvocation({ id });
    await at.api.deleteSilence({ id: "works" });
    await minute(at, 60);
    expect(sent(at.fleet)).toEqual([]);
    await at.api.unacknowledgeAlertInvocation({ id });
    await at.fleet.clock.advance(10);
    expect(sent(at.fleet)).toEqual(["alert_new"]);
  });

  test("is repeated from then on, and not before", async () => {
    const at = await setUp({ repeat_minutes: 2 });
    await silence(at.api);
    for (let count = 0; count < 5; count++) await minute(at, 60);
    expect(sent(at.fleet)).toEqual([]);
    await at.api.deleteSilence({ id: "works" });
    for (let count = 0; count < 3; count++) await minute(at, 60 + count);
    expect(sent(at.fleet)).toEqual(["alert_new", "alert_new:1"]);
  });

  test("only sends late notices, and starts no other late action", async () => {
    const at = await setUp({ actions: [{ enabled: true, condition: "alert_new", type: "snapshot" }] });
    await silence(at.api);
    await minute(at, 60);
    await at.api.deleteSilence({ id: "works" });
    await at.fleet.clock.advance(10);
    expect(at.fleet.told.batches.flatMap(({ actions }) => actions.map(({ type }) => type))).toEqual(["test.ping"]);
  });
});

test("a firing that a job held back is reported two minutes after the job's end, if it is still live", async () => {
  const at = await setUp();
  const job = { id: "j1", event: "patch", state: "active", started: 0, server: "s1", silence_alerts: true };
  const record = { id: "j1", job, details: {}, launched: 0 } as never;
  await at.cradle.transact(({ tx }) => tx.collection(activeJobCollection).insert(record));
  await minute(at, 60);
  await at.cradle.transact(({ tx }) => tx.collection(activeJobCollection).delete("j1"));
  await minute(at, 60);
  expect(sent(at.fleet)).toEqual([]);
  await minute(at, 60);
  await minute(at, 60);
  expect(sent(at.fleet)).toEqual(["alert_new"]);
});

describe("a clearing", () => {
  test("is reported to no receiver when none was notified of the firing", async () => {
    const at = await setUp();
    await silence(at.api);
    await minute(at, 60);
    await minute(at, 40);
    await at.api.deleteSilence({ id: "works" });
    await at.fleet.clock.advance(60);
    expect(sent(at.fleet)).toEqual([]);
  });

  test("is reported to the receivers of the firing", async () => {
    const tom = { ...ping, to: "tom" };
    const runAction: FleetOptions["runAction"] = ({ to }) => ({ code: to === "tom" ? "test.ping" : 0 });
    const at = await setUp({ actions: [tom, { ...tom, condition: "alert_cleared" }] }, { runAction });
    await minute(at, 60);
    await minute(at, 40);
    const told = at.fleet.told.batches.map(({ key, actions }) => [key.split(":")[1], actions.map(({ to }) => to)]);
    expect(told).toEqual([
      ["alert_new", ["tom", "a"]],
      ["alert_cleared", ["a"]],
    ]);
  });

  test("is not reported to a target that was added after the firing", async () => {
    const at = await setUp();
    await minute(at, 60);
    const eve = { ...ping, to: "eve" };
    await at.api.updateAlert({ id: "hot", actions: [eve, { ...eve, condition: "alert_cleared" }] } as never);
    await minute(at, 40);
    expect(at.fleet.told.batches.at(-1)?.actions.map(({ to }) => to)).toEqual(["a"]);
  });

  test("waits for the end of the snooze", async () => {
    const at = await setUp();
    await minute(at, 60);
    const until = Math.floor(at.fleet.clock.now()) + 300;
    await at.cradle.transact(({ tx }) => at.cradle.state.set(tx, "alert_snooze", until));
    await minute(at, 40);
    await minute(at, 40);
    expect(sent(at.fleet)).toEqual(["alert_new"]);
    await at.fleet.clock.advance(300);
    expect(sent(at.fleet)).toEqual(["alert_new", "alert_cleared"]);
    await at.fleet.clock.advance(60);
    expect(sent(at.fleet)).toHaveLength(2);
  });
});

test("a repetition has the present message and duration", async () => {
  const at = await setUp({ repeat_minutes: 2 });
  await minute(at, 60);
  await minute(at, 65);
  await minute(at, 71);
  expect(sent(at.fleet)).toEqual(["alert_new", "alert_new:1"]);
  expect(texts(at.fleet)[0]).toMatch(/60 degrees.*Alerts\?id=\w+$/);
  expect(texts(at.fleet)[1]).toMatch(/(65|71) degrees.* \(for [12] minutes?\)$/);
});

describe("an alert that ends for lack of data", () => {
  test("is reported as such, once, to the receivers of the firing", async () => {
    const at = await setUp({}, { config: { alert_universal_actions: [ping] } });
    await minute(at, 60);
    await at.fleet.clock.advance(300);
    expect(sent(at.fleet)).toEqual(["alert_new", "alert_cleared"]);
    expect(texts(at.fleet)[1]).toContain("No more data of Web (host-s1)");
    expect(at.fleet.told.batches[1]?.data).toMatchObject({ template: "alert_stale", alert: { stale: true } });
  });

  test("is reported to no receiver when none was notified of the firing, or during a silence", async () => {
    const at = await setUp();
    await silence(at.api);
    await minute(at, 60);
    await at.fleet.clock.advance(300);
    expect(sent(at.fleet)).toEqual([]);
    await at.api.deleteSilence({ id: "works" });
    await minute(at, 60);
    await silence(at.api);
    await at.fleet.clock.advance(300);
    expect(sent(at.fleet)).toEqual(["alert_new"]);
  });
});
