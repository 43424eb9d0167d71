import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../test/engine.ts";
import { type Fleet, useFleets } from "../../../test/fleet/fleet.ts";
import { createGroupOf, joinAs, minuteData, quiet, snapshotter } from "../../../test/fleet/snapshot-setup.ts";
import { activityCollection } from "../../directory/activity/collection.ts";
import { activeJobCollection } from "../../work/jobs/collection.ts";
import { invocationCollection } from "../alerts/collection.ts";
import { snapshotCollection, snapshotPartCollection } from "./collection.ts";

const start = useFleets();
const quickPacket = { cpu: { avgLoad: 1, currentLoad: 5 }, mem: { used: 3, available: 5 } };

const invocation = (id: string, members: object) => ({
  ...{ id, alert: "hot", server: "s1", date: 1, active: true, modified: 1, tickets: [], exp: "1" },
  ...{ message: "", count: 1, notified: true, groups: ["main"], jobs: [], ...members },
});

async function addInvocations({ storage }: Fleet): Promise<void> {
  await storage.write(async (tx) => {
    const all = tx.collection(invocationCollection);
    await all.insert(invocation("a1", {}));
    await all.insert(invocation("a2", { active: false }));
    await all.insert(invocation("a3", { server: "s2", groups: ["db"] }));
  });
}

const counts = ({ storage }: Fleet) =>
  storage.read(async (tx) => [
    (await tx.collection(snapshotCollection).list()).length,
    (await tx.collection(snapshotPartCollection).list()).length,
  ]);
const rows = async ({ storage }: Fleet, pattern: RegExp) =>
  (await storage.read((tx) => tx.collection(activityCollection).list())).filter(({ action }) => pattern.test(action));

describe("create_snapshot", () => {
  test("takes all members from the data of the last minute", async () => {
    const jobs = [{ id: "j1", event: "e1", tickets: [] }];
    const fleet = await start({ ...quiet, jobs });
    await fleet.storage.write((tx) =>
      tx.collection(activeJobCollection).insert({
        ...{ id: "j1", launched: 1, details: { activity: [] } },
        job: { id: "j1", event: "e1", state: "active", started: 1, workflow: { job: "jparent" } },
      }),
    );
    const server = await joinAs(fleet);
    await addInvocations(fleet);
    await fleet.minute(server, minuteData);
    const date = Math.floor(fleet.clock.now());
    server.send("quickmon", quickPacket);
    await fleet.clock.advance(5);
    const created = fleet.next("snapshot.created");
    const { id } = await fleet.signalbox.as(snapshotter()).createSnapshot({ server: "s1" });
    expect(id).toMatch(/^sn[a-z0-9]{14}$/);
    const { snapshot } = await fleet.signalbox.api.getSnapshot({ id });
    const { processes, conns, mounts, commands, ...light } = snapshot.data ?? {};
    expect(await created).toEqual({ ...snapshot, data: light });
    expect(snapshot).toMatchObject({
      ...{ id, type: "server", source: "user", username: "ktest", version: "1.0", date, server: "s1" },
      ...{
        hostname: "s1.example.internal",
        ip: "127.0.0.1",
        groups: ["main"],
        alerts: ["a1"],
        jobs: ["j1", "jparent"],
      },
      data: { ...minuteData, deltas: {} },
      quickmon: [{ _qm_cpu_usage: 5, date }],
    });
    expect(snapshot.data?.["monitors"]).toHaveProperty("load_avg");
    expect(Object.keys(snapshot)).not.toEqual(expect.arrayContaining(["parts"]));
    expect(snapshot).not.toHaveProperty("key");
    expect(await rows(fleet, /snapshot/)).toEqual([]);
  });

  test("without quick samples the list is empty, and new alerts of the minute are included", async () => {
    const fleet = await start(quiet);
    await fleet.signalbox.api.createAlert({ id: "hot", title: "Hot", expression: "temp > 1", message: "x" });
    await fleet.minute(await joinAs(fleet), { temp: 5 });
    const { id } = await fleet.signalbox.api.createSnapshot({ server: "s1" });
    const { snapshot } = await fleet.signalbox.api.getSnapshot({ id });
    expect(snapshot).toMatchObject({ quickmon: [], new_alerts: { hot: true }, jobs: [] });
    expect(snapshot.alerts).toHaveLength(1);
  });

  test.each<[string, object, string, string]>([
    ["an unknown server", { server: "nope" }, "server", "Unknown or inactive server: nope"],
    ["a malformed id", { server: "a-b" }, "api", "Malformed parameter: server"],
    ["no id", {}, "api", "Missing parameter: server"],
    [
      "a server without a minute",
      { server: "s1" },
      "snapshot",
      "Failed to create snapshot: Error: No monitoring data for server: s1",
    ],
  ])("%s is refused", async (_name, input, code, description) => {
    const fleet = await start(quiet);
    await joinAs(fleet);
    expect(await refusalOf(fleet.signalbox.api.createSnapshot(input as never))).toEqual({ code, description });
  });

  test("a server whose monitoring is disabled, or that disconnected, is refused", async () => {
    const fleet = await start(quiet);
    const server = await joinAs(fleet);
    await fleet.clock.advance(60);
    server.send("monitor", { version: "1.0", date: fleet.clock.now(), data: { dummy: true } });
    await fleet.settle();
    expect(await refusalOf(fleet.signalbox.api.createSnapshot({ server: "s1" }))).toEqual({
      code: "snapshot",
      description: "Failed to create snapshot: Error: Monitoring is disabled on server: s1",
    });
    server.close();
    await fleet.settle();
    expect((await refusalOf(fleet.signalbox.api.createSnapshot({ server: "s1" }))).code).toBe("server");
  });

  test("the ends of the long lists are cut when there is much data", async () => {
    const fleet = await start({ config: { alert_universal_actions: [], api: { max_record_size: 20_000 } } });
    const list = Array.from({ length: 500 }, (_, pid) => ({ pid, command: "x".repeat(50) }));
    await fleet.minute(await joinAs(fleet), { ...minuteData, processes: { all: 500, list }, conns: list });
    const { id } = await fleet.signalbox.api.createSnapshot({ server: "s1" });
    const { data } = (await fleet.signalbox.api.getSnapshot({ id })).snapshot;
    expect(JSON.stringify(data).length).toBeLessThan(20_000);
    expect(data).toMatchObject({ truncated: true, processes: { all: 500 }, load: [1, 2, 3] });
    expect(Object(data)["conns"].length).toBeGreaterThan(50);
  });

  test("a record that is too large even without the long lists is refused", async () => {
    const fleet = await start({ config: { alert_universal_actions: [], api: { max_record_size: 5000 } } });
    await fleet.minute(await joinAs(fleet), { ...minuteData, commands: { big: "x".repeat(6000) } });
    expect(await refusalOf(fleet.signalbox.api.createSnapshot({ server: "s1" }))).toEqual({
      code: "snapshot",
      description: "Failed to create snapshot: Error: Record is too large.",
    });
  });
});

describe("create_group_snapshot", () => {
  test("contains the group, its servers and the data of each, by the same index", async () => {
    const fleet = await start(quiet);
    await createGroupOf(fleet, "db");
    await addInvocations(fleet);
    const first = await joinAs(fleet, "s1", ["db"]);
    await joinAs(fleet, "s2", ["db"]);
    await joinAs(fleet, "other");
    const away = await joinAs(fleet, "s3", ["db"]);
    await fleet.minute(first, minuteData);
    await fleet.minute(away, { load: [7] });
    first.send("quickmon", quickPacket);
    away.close();
    await fleet.clock.advance(2);
    const { id } = await fleet.signalbox.as(snapshotter("db")).createGroupSnapshot({ group: "db" });
    const { snapshot } = await fleet.signalbox.api.getSnapshot({ id });
    expect(snapshot).toMatchObject({
      ...{ id, type: "group", source: "user", username: "ktest", date: Math.floor(fleet.clock.now()), server: "" },
      ...{ groups: ["db"], alerts: ["a3"], jobs: [], group_def: { id: "db", title: "db" } },
      servers: [
        { id: "s1", offline: false, online: true },
        { id: "s2", offline: false },
        { id: "s3", offline: true, online: false },
      ],
      snapshots: [{ hostname: "s1.example.internal", data: minuteData }, null, { data: { load: [7] } }],
      quickmons: [[{ _qm_cpu_usage: 5 }], [], []],
    });
    expect(snapshot).not.toHaveProperty("truncated");
    expect(JSON.stringify(snapshot)).not.toContain("socket_id");
  });

  test("leaves out servers that are changing at this second, and ones that left over an hour ago", async () => {
    const fleet = await start(quiet);
    const gone = await joinAs(fleet, "s1");
    gone.close();
    await fleet.clock.advance(3601);
    await fleet.agent.connect({ hostname: "fresh.example.internal", id: "s2" });
    const { id } = await fleet.signalbox.api.createGroupSnapshot({ group: "main" });
    expect((await fleet.signalbox.api.getSnapshot({ id })).snapshot).toMatchObject({ servers: [], snapshots: [] });
  });

  test("jobs on its servers are named", async () => {
    const fleet = await start({ ...quiet, jobs: [{ id: "j1", event: "e1", tickets: [] }] });
    await joinAs(fleet, "s1");
    await joinAs(fleet, "s2");
    const { id } = await fleet.signalbox.api.createGroupSnapshot({ group: "main" });
    expect((await fleet.signalbox.api.getSnapshot({ id })).snapshot.jobs).toEqual(["j1"]);
  });

  test("unknown groups and foreign groups are refused", async () => {
    const fleet = await start(quiet);
    expect(await refusalOf(fleet.signalbox.api.createGroupSnapshot({ group: "nope" }))).toEqual({
      code: "snapshot",
      description: "Unknown group: nope",
    });
    expect(await refusalOf(fleet.signalbox.as(snapshotter("db")).createGroupSnapshot({ group: "main" }))).toEqual({
      code: "access",
      description: "You do not have the required account privileges to access group ID main.",
    });
  });

  test("a group with too much data is cut to a bounded size, each server to its share", async () => {
    const fleet = await start({ config: { alert_universal_actions: [], api: { max_record_size: 4000 } } });
    const list = Array.from({ length: 300 }, (_, pid) => ({ pid, command: "x".repeat(50) }));
    for (const name of ["s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8"]) {
      const server = await joinAs(fleet, name);
      await fleet.minute(server, name === "s8" ? minuteData : { ...minuteData, processes: { list }, conns: list });
    }
    await fleet.settle();
    const { id } = await fleet.signalbox.api.createGroupSnapshot({ group: "main" });
    const { snapshot } = await fleet.signalbox.api.getSnapshot({ id });
    expect(snapshot.truncated).toBe(true);
    expect(JSON.stringify(snapshot).length).toBeLessThan(8 * 4000 + 2000);
    expect(snapshot.snapshots).toHaveLength(8);
    expect(snapshot.snapshots?.[0]?.["data"]).toMatchObject({ truncated: true, load: [1, 2, 3] });
    expect(snapshot.snapshots?.[7]?.["data"]).not.toHaveProperty("truncated");
  });

  test("parts without a snapshot are deleted after a while", async () => {
    const fleet = await start(quiet);
    await joinAs(fleet);
    await fleet.signalbox.api.createGroupSnapshot({ group: "main" });
    await fleet.storage.write((tx) => tx.collection(snapshotPartCollection).insert({ id: "snlost_0", members: {} }));
    await fleet.storage.write((tx) => tx.enqueue("snapshots.sweep", { id: "snlost", parts: 1 }));
    expect(await counts(fleet)).toEqual([1, 3]);
    await fleet.clock.advance(700);
    expect(await counts(fleet)).toEqual([1, 2]);
  });
});

describe("get_snapshot and delete_snapshot", () => {
  async function setUp() {
    const fleet = await start(quiet);
    await fleet.minute(await joinAs(fleet), minuteData);
    const { id } = await fleet.signalbox.api.createSnapshot({ server: "s1" });
    return { fleet, id, api: fleet.signalbox.api };
  }

  test("refuse unknown ids", async () => {
    const { api } = await setUp();
    expect(await refusalOf(api.getSnapshot({ id: "snx" }))).toEqual({
      code: "notfound",
      description: "Failed to locate snapshot: snx",
    });
    expect(await refusalOf(api.deleteSnapshot({ id: "snx" }))).toEqual({
      code: "snapshot",
      description: "Failed to delete snapshot: Error: Item not found",
    });
    expect((await refusalOf(api.deleteSnapshot({ id: "SN-1" }))).description).toBe("Malformed parameter: id");
  });

  test("refuse callers of other groups, and limited callers may delete nothing", async () => {
    const { fleet, id } = await setUp();
    expect(await refusalOf(fleet.signalbox.as(snapshotter("db")).getSnapshot({ id }))).toEqual({
      code: "access",
      description: "You do not have the required account privileges to access targets: main.",
    });
    expect(await refusalOf(fleet.signalbox.as(snapshotter("db")).createSnapshot({ server: "s1" }))).toMatchObject({
      code: "access",
    });
    expect((await fleet.signalbox.as(snapshotter("main")).getSnapshot({ id })).snapshot.id).toBe(id);
    expect(await refusalOf(fleet.signalbox.as(snapshotter("main")).deleteSnapshot({ id }))).toEqual({
      code: "alert",
      description: "Group-limited users may not delete server snapshots.",
    });
  });

  test("deleting removes the parts too and writes no activity", async () => {
    const { fleet, id } = await setUp();
    expect(await counts(fleet)).toEqual([1, 1]);
    expect(await fleet.signalbox.as(snapshotter()).deleteSnapshot({ id })).toEqual({});
    expect(await counts(fleet)).toEqual([0, 0]);
    expect(await rows(fleet, /snapshot/)).toEqual([]);
  });
});
