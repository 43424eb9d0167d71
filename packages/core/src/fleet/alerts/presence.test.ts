import { describe, expect, test } from "vitest";
import { invocations, join, ping } from "../../../test/fleet/alert-setup.ts";
import { type Fleet, type FleetOptions, useFleets } from "../../../test/fleet/fleet.ts";
import { rounds } from "../../../test/rounds.ts";
import { memoryStorage } from "../../memory/memory-storage.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { serverCollection } from "../servers/collection.ts";
import { alertCollection } from "./collection.ts";

const start = useFleets();
const config = { alert_universal_actions: [ping, { ...ping, condition: "alert_cleared" }] };
const silent = async (fleet: Fleet) => (await invocations(fleet)).filter(({ alert }) => alert === "server_silent");
const sent = ({ told }: Fleet): string[] =>
  told.batches
    .filter(({ data }) => (data["def"] as { id: string }).id === "server_silent")
    .map(({ key }) => key.split(":")[1] ?? "");

/** A server that has reported for a few minutes. */
async function setUp(options: FleetOptions = {}) {
  const fleet = await start({ config, ...options });
  const server = await join(fleet);
  for (let count = 0; count < 4; count++) await fleet.minute(server, { temp: 1 });
  return { fleet, api: fleet.signalbox.api, server };
}

describe("a server that goes silent", () => {
  test("is reported after five minutes, once, and again after it reports", async () => {
    const { fleet, server } = await setUp();
    server.close();
    await fleet.clock.advance(280);
    expect(await silent(fleet)).toEqual([]);
    await fleet.clock.advance(100);
    expect(await silent(fleet)).toMatchObject([{ server: "s1", active: true }]);
    expect((await silent(fleet))[0]?.message).toMatch(/^No report for 3\d\d seconds$/);
    await fleet.clock.advance(1200);
    expect(sent(fleet)).toEqual(["alert_new"]);
    await join(fleet);
    await fleet.clock.advance(61);
    expect(sent(fleet)).toEqual(["alert_new", "alert_cleared"]);
    expect(await silent(fleet)).toMatchObject([{ active: false }]);
    expect((await silent(fleet))[0]).not.toHaveProperty("stale");
  });

  test("for a moment is not reported", async () => {
    const { fleet, server } = await setUp();
    server.close();
    await fleet.clock.advance(200);
    await join(fleet);
    await fleet.clock.advance(400);
    expect(sent(fleet)).toEqual([]);
  });

  test.each<[string, (api: Fleet["signalbox"]["api"]) => Promise<unknown>]>([
    ["is disabled", (api) => api.updateServer({ id: "s1", enabled: false })],
    ["is not in the groups of the alert", (api) => api.updateAlert({ id: "server_silent", groups: ["db"] })],
    ["was uninstalled", (api) => api.deleteServer({ id: "s1", history: false })],
    ["is ephemeral", (api) => api.updateServer({ id: "s1", ephemeral: true })],
    [
      "is in an ephemeral group",
      (api) => api.createGroup({ id: "brief", title: "Brief", hostname_match: "^host-s1", ephemeral: true }),
    ],
    ["is silenced", (api) => api.createSilence({ title: "Works", servers: ["s1"], end: 4_000_000_000 })],
  ])("is not reported when it %s", async (_how, change) => {
    const { fleet, api, server } = await setUp();
    await change(api);
    await fleet.settle();
    server.close();
    await fleet.clock.advance(900);
    expect(sent(fleet)).toEqual([]);
  });

  test.each([false, true])(
    "is reported when it returned after a deletion (history: %j) and fell silent then",
    async (history) => {
      const { fleet, api, server } = await setUp();
      await api.deleteServer({ id: "s1", history });
      await fleet.settle();
      server.close();
      await fleet.clock.advance(300);
      (await join(fleet)).close();
      await fleet.clock.advance(500);
      expect(sent(fleet)).toEqual(["alert_new"]);
    },
  );

  test("is not missed any more after a week", async () => {
    const clock = fakeClock();
    const storage = memoryStorage({ clock });
    const { fleet, server } = await setUp({ clock, storage });
    server.close();
    await fleet.settle();
    await fleet.signalbox.stop();
    const next = await start({ config, storage, clock: fakeClock(clock.now() + 8 * 86_400) });
    await next.clock.advance(900);
    expect(await silent(next)).toEqual([]);
  });
});

describe("after a restart of the engine", () => {
  const restart = async (fleet: Fleet, seconds: number): Promise<Fleet> => {
    const { storage, clock } = fleet;
    await fleet.signalbox.stop();
    return start({ config, storage, clock: fakeClock(clock.now() + seconds) });
  };

  test("satellites have time to reconnect, however long it took", async () => {
    const { fleet } = await setUp();
    const next = await restart(fleet, 3600);
    await next.clock.advance(120);
    await join(next);
    await next.clock.advance(600);
    expect(await silent(next)).toEqual([]);
  });

  test("a satellite that does not reconnect is reported", async () => {
    const { fleet } = await setUp();
    const next = await restart(fleet, 3600);
    await next.clock.advance(170);
    expect(await silent(next)).toEqual([]);
    await next.clock.advance(120);
    expect(sent(next)).toEqual(["alert_new"]);
  });

  test("a reported firing is neither cleared nor reported again", async () => {
    const { fleet, server } = await setUp();
    server.close();
    await fleet.clock.advance(400);
    const next = await restart(fleet, 60);
    await next.clock.advance(900);
    expect([...sent(fleet), ...sent(next)]).toEqual(["alert_new"]);
    await join(next);
    await next.clock.advance(61);
    expect(sent(next)).toEqual(["alert_cleared"]);
  });
});

/** More than one page of servers, and more than one transaction of alerts. */
const MANY = rounds(150, 450);

test("many servers that fall silent at once are reported, each once", async () => {
  const { fleet } = await setUp();
  const [record] = await fleet.storage.read((tx) => tx.collection(serverCollection).list());
  const copies = Array.from({ length: MANY }, (_, index) => ({ ...record, id: `c${index}` }) as never);
  await fleet.storage.write((tx) => tx.collection(serverCollection).insertMany(copies));
  await fleet.clock.advance(700);
  expect(new Set((await silent(fleet)).map(({ server }) => server)).size).toBe(MANY);
  expect(await silent(fleet)).toHaveLength(MANY);
});

describe("the definition of the alert on silent servers", () => {
  const titles = async ({ signalbox: { api } }: Fleet) =>
    (await api.getAlerts()).rows.map(({ id, enabled }) => [id, enabled]);

  test("is added disabled to an older store, whose deleted defaults stay deleted", async () => {
    const clock = fakeClock();
    const storage = memoryStorage({ clock });
    await storage.open([alertCollection]);
    // It was seeded once, and somebody has deleted everything since.
    await storage.write((tx) => tx.counter("seed:alerts"));
    const first = await start({ clock, storage });
    const later = [
      "server_silent",
      "disk_full_critical",
      "engine_offline",
      "event_overdue",
      "event_slow",
      "event_failing",
      "check_down",
      "cert_expiring",
      "cert_critical",
      "heartbeat_late",
      "heartbeat_failed",
    ];
    expect(await titles(first)).toEqual(later.map((id) => [id, false]));
    for (const id of later) await first.signalbox.api.deleteAlert({ id });
    await first.signalbox.stop();
    expect(await titles(await start({ clock, storage }))).toEqual([]);
  });

  test("stays deleted when a user deletes it", async () => {
    const clock = fakeClock();
    const storage = memoryStorage({ clock });
    const first = await start({ clock, storage });
    await first.signalbox.api.deleteAlert({ id: "server_silent" });
    await first.signalbox.stop();
    const second = await start({ clock, storage });
    expect((await second.signalbox.api.getAlerts()).rows.map(({ id }) => id)).not.toContain("server_silent");
  });

  test("keeps its subject, which must be a known one", async () => {
    const { signalbox } = await start();
    await signalbox.api.updateAlert({ id: "server_silent", subject: "server" } as never);
    expect((await signalbox.api.getAlert({ id: "server_silent" })).alert).toMatchObject({ subject: "presence" });
    const call = signalbox.api.createAlert({ title: "X", expression: "1", message: "m", subject: "moon" } as never);
    await expect(call).rejects.toMatchObject({ code: "alert", description: "Invalid value for subject" });
  });

  test("can be tried out and explained", async () => {
    const { fleet, api, server } = await setUp();
    server.close();
    await fleet.clock.advance(400);
    const tried = await api.testAlert({ server: "s1", expression: "presence.silent_sec > 300", message: "x" });
    expect(tried).toMatchObject({ result: true });
    const { rows } = await api.explainAlert({ alert: "server_silent", server: "s1" });
    expect(rows).toMatchObject([{ state: "live", result: true, reason: expect.stringContaining("has fired") }]);
    const { invocations: past } = await api.backtestAlert({ alert: "server_silent" });
    expect(past).toMatchObject([{ server: "s1", message: expect.stringMatching(/^No report for 3\d\d seconds$/) }]);
  });
});
