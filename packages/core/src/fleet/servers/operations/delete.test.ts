import { describe, expect, test } from "vitest";
import { keyWith, refusalOf } from "../../../../test/engine.ts";
import { type Fleet, type FleetOptions, useFleets } from "../../../../test/fleet/fleet.ts";
import { activityCollection } from "../../../directory/activity/collection.ts";
import { memoryStorage } from "../../../memory/memory-storage.ts";
import type { Storage } from "../../../ports/storage/storage.ts";
import { fakeClock } from "../../../testing/fake-clock.ts";
import minute from "../../../testing/fixtures/agent-monitor.json" with { type: "json" };
import { invocationCollection, stateCollection } from "../../alerts/collection.ts";
import { hostCollection, serverCollection } from "../collection.ts";

const start = useFleets();
const web = { hostname: "web01", id: "s1", initial: { title: "Web", groups: ["main"] } };

/** A server with a minute of history, a live alert, a snapshot and a watch. */
async function setUp(options: FleetOptions = {}) {
  const fleet = await start(options);
  const { api } = fleet.signalbox;
  await api.createAlert({ id: "hot", title: "Hot", expression: "1", message: "m" });
  const agent = await fleet.agent.connect(web);
  await fleet.minute(agent, minute.data);
  await fleet.settle();
  await api.createSnapshot({ server: "s1" });
  await api.watchServer({ id: "s1", duration: 600 });
  return { ...fleet, api, server: agent };
}
type At = Awaited<ReturnType<typeof setUp>>;

const traces = ({ storage, signalbox: { api } }: Fleet) =>
  storage.read(async (tx) => ({
    record: (await tx.collection(serverCollection).get("s1")) !== undefined,
    host: (await tx.collection(hostCollection).get("s1")) !== undefined,
    timeline: (await tx.timeline.bounds({ server: "s1", system: "hourly" })) !== undefined,
    states: (await tx.collection(stateCollection).list()).length,
    snapshots: (await api.searchSnapshots({ query: "server:s1" })).list.length,
    watches: Object.keys(
      ((await api.getGlobalState()).state as { watches: { servers?: object } }).watches.servers ?? {},
    ),
    live: (await tx.collection(invocationCollection).list()).filter(({ active }) => active).length,
    invocations: (await tx.collection(invocationCollection).list()).length,
  }));
const NOTHING = { record: false, host: false, timeline: false, states: 0, snapshots: 0, watches: [], live: 0 };
const uninstalls = ({ server }: At): number => server.received.filter(({ cmd }) => cmd === "uninstall").length;

/** Opens the link of a satellite that says hello with the id of the deleted server. */
async function hello(at: Fleet) {
  const link = at.agent.open();
  link.send("hello", { ...web.initial, hostname: web.hostname, id: web.id, info: {} });
  await at.settle();
  return link;
}

const goOffline = async (at: At) => {
  at.server.close();
  await at.settle();
};

describe("a connected server", () => {
  test("without history is uninstalled, and keeps its record and everything else", async () => {
    const at = await setUp();
    const before = await traces(at);
    expect(before).toMatchObject({ record: true, host: true, timeline: true, watches: ["s1"] });
    expect(before.live).toBeGreaterThan(0);
    expect(before.states).toBeGreaterThan(0);
    expect(before.snapshots).toBeGreaterThan(0);
    expect(await at.api.deleteServer({ id: "s1" })).toEqual({});
    await at.settle();
    expect(uninstalls(at)).toBe(1);
    await goOffline(at);
    expect((await at.api.getActiveServers()).rows).toEqual([]);
    expect(await traces(at)).toEqual(before);
    expect((await at.api.searchServers({ limit: 5 })).rows).toMatchObject([{ id: "s1", online: false }]);
  });

  test("rejoins with its old title and groups after a deletion without history", async () => {
    const at = await setUp();
    await at.api.deleteServer({ id: "s1", history: false });
    await goOffline(at);
    await at.agent.connect({ ...web, initial: {} });
    expect((await at.api.getActiveServer({ id: "s1" })).server).toMatchObject({ title: "Web", groups: ["main"] });
    await at.clock.advance(200);
    expect((await at.api.getActiveServers()).rows).toHaveLength(1);
  });

  test("with history is uninstalled first; when its connection ends, everything is deleted", async () => {
    const at = await setUp();
    const deleted = at.next("server.deleted");
    await at.api.deleteServer({ id: "s1", history: true });
    await at.settle();
    expect(uninstalls(at)).toBe(1);
    // The answer came before anything was deleted.
    expect((await at.api.searchServers({ limit: 5 })).rows).toMatchObject([{ id: "s1", online: true }]);
    await goOffline(at);
    expect(await deleted).toMatchObject({ id: "s1", title: "Web", groups: ["main"], info: expect.any(Object) });
    expect(await traces(at)).toMatchObject(NOTHING);
    // Invocations stay as history.
    expect((await traces(at)).invocations).toBeGreaterThan(0);
    expect(await refusalOf(at.api.getServer({ id: "s1" }))).toMatchObject({ code: "notfound" });
  });

  test("is disconnected if it stays for 60 seconds after its uninstallation, and its history is deleted", async () => {
    const at = await setUp();
    await at.api.deleteServer({ id: "s1", history: true });
    await at.clock.advance(58);
    expect(at.server.isOpen).toBe(true);
    await at.clock.advance(4);
    expect(at.server.closeReason).toBe("The agent did not end after it was uninstalled.");
    expect(await traces(at)).toMatchObject(NOTHING);
  });

  test.each(["before", "after"] as const)(
    "is uninstalled again when it reconnects %s its history is deleted",
    async (when) => {
      const at = await setUp();
      await at.api.deleteServer({ id: "s1", history: true });
      await goOffline(at);
      if (when === "after") await at.clock.advance(200);
      const again = await hello(at);
      await at.clock.advance(200);
      expect(again.received).toEqual([{ cmd: "uninstall", data: {} }]);
      expect(again.isOpen).toBe(false);
      expect(await traces(at)).toMatchObject(NOTHING);
    },
  );

  test("is uninstalled again after a restart", async () => {
    const clock = fakeClock();
    const storage = memoryStorage({ clock });
    const at = await setUp({ clock, storage });
    await at.api.deleteServer({ id: "s1", history: true });
    await at.settle();
    await at.signalbox.stop();
    const next = await start({ clock, storage });
    expect((await hello(next)).received).toEqual([{ cmd: "uninstall", data: {} }]);
  });

  test("may join again as a new one after 24 hours", async () => {
    const at = await setUp();
    await at.api.deleteServer({ id: "s1", history: true });
    await goOffline(at);
    await at.clock.advance(200);
    await at.signalbox.stop();
    const { storage } = at;
    const early = await start({ storage, clock: fakeClock(at.clock.now() + 86_190) });
    expect((await hello(early)).received).toEqual([{ cmd: "uninstall", data: {} }]);
    await early.signalbox.stop();
    const next = await start({ storage, clock: fakeClock(at.clock.now() + 86_400) });
    await next.agent.connect({ ...web, initial: { title: "New" } });
    expect((await next.signalbox.api.getActiveServer({ id: "s1" })).server.title).toBe("New");
  });

  test("may join again at once as a new one when its agent runs in this process", async () => {
    const at = await setUp();
    await at.api.deleteServer({ id: "s1", history: true });
    await goOffline(at);
    await at.clock.advance(200);
    const again = await at.agent.connect({ ...web, initial: { title: "New" } });
    await at.settle();
    expect(again.received.map(({ cmd }) => cmd)).not.toContain("uninstall");
    expect((await at.api.getActiveServer({ id: "s1" })).server.title).toBe("New");
  });

  test("leaves other servers alone", async () => {
    const at = await setUp();
    await at.api.deleteServer({ id: "s1", history: true });
    await at.agent.connect({ hostname: "web02", id: "s2" });
    expect((await at.api.getActiveServers()).rows.map(({ id }) => id)).toContain("s2");
  });
});

describe("deleting a disconnected server", () => {
  test("with history deletes it at once, without an uninstallation", async () => {
    const at = await setUp();
    await goOffline(at);
    await at.api.deleteServer({ id: "s1", history: true });
    await at.settle();
    expect(await traces(at)).toMatchObject(NOTHING);
    expect(uninstalls(at)).toBe(0);
  });

  test("a disconnected server that this process does not know is deleted too", async () => {
    const at = await setUp();
    await at.signalbox.stop();
    const next = await start({ clock: at.clock, storage: at.storage });
    await next.signalbox.api.deleteServer({ id: "s1", history: true });
    await next.settle();
    expect(await traces(next)).toMatchObject(NOTHING);
  });

  test.each([undefined, false, 0, "0", "false", ""])("without history (%j) is refused", async (history) => {
    const at = await setUp();
    await goOffline(at);
    const call = at.signalbox.api.deleteServer({ id: "s1", ...(history === undefined ? {} : { history }) } as never);
    expect(await refusalOf(call)).toEqual({ code: "server", description: "Server has gone offline: s1" });
    expect((await traces(at)).record).toBe(true);
  });
});

test("a deletion that was interrupted is continued by the next start", async () => {
  const clock = fakeClock();
  const inner = memoryStorage({ clock });
  let isDead = false;
  const storage: Storage = {
    ...inner,
    write: (work) => (isDead ? Promise.reject(new Error("killed")) : inner.write(work)),
  };
  const at = await setUp({ clock, storage });
  await at.api.deleteServer({ id: "s1", history: true });
  await at.settle();
  isDead = true;
  at.server.close();
  await at.settle();
  await at.signalbox.stop().catch(() => undefined);
  isDead = false;
  const next = await start({ clock, storage });
  expect((await traces(next)).record).toBe(true);
  await clock.advance(200);
  expect(await traces(next)).toMatchObject(NOTHING);
});

test("input, privilege and server are checked in the contract's order", async () => {
  const at = await setUp();
  const operator = at.signalbox.as(keyWith(["update_servers"]));
  expect(await refusalOf(operator.deleteServer({ id: "gone", history: "perhaps" } as never))).toEqual({
    code: "api",
    description: "Malformed parameter: history",
  });
  expect(await refusalOf(operator.deleteServer({ id: "gone" }))).toEqual({
    code: "access",
    description: "You do not have the 'Administrator' privilege required to perform this action.",
  });
  expect(await refusalOf(at.api.deleteServer({ id: "gone", history: true }))).toEqual({
    code: "notfound",
    description: "Failed to locate server: gone",
  });
  expect(uninstalls(at)).toBe(0);
});

test("the activity log names the server and keeps its other rows", async () => {
  const at = await setUp();
  await at.api.deleteServer({ id: "s1", history: true });
  await goOffline(at);
  const rows = await at.storage.read((tx) => tx.collection(activityCollection).list());
  expect(rows.filter(({ action }) => action.startsWith("server_"))).toMatchObject([
    { action: "server_add" },
    { action: "server_watch" },
    { action: "server_delete", description: "", server_id: "s1", hostname: "web01" },
    { action: "server_remove" },
  ]);
});
