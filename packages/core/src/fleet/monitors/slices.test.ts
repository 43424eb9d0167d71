import { expect, test } from "vitest";
import { recordingLogger } from "../../../test/engine.ts";
import { type Fleet, useFleets } from "../../../test/fleet/fleet.ts";
import { activityCollection } from "../../directory/activity/collection.ts";
import { memoryStorage } from "../../memory/memory-storage.ts";
import type { Storage, WriteTx } from "../../ports/storage/storage.ts";
import { fakeClock } from "../../testing/fake-clock.ts";

const start = useFleets();

/** A storage that counts transactions, and fails to write records of the given server. */
function watchedStorage(unwritable?: string) {
  const clock = fakeClock();
  const inner = memoryStorage({ clock });
  const seen = { writes: 0 };
  const refusing = (tx: WriteTx): WriteTx => ({
    ...tx,
    timeline: tx.timeline,
    async overwrite(definition, documents) {
      if (documents.some(({ id }) => id === unwritable)) throw new Error("This record is poison");
      await tx.overwrite(definition, documents);
    },
  });
  const storage: Storage = {
    ...inner,
    write(work) {
      seen.writes += 1;
      return inner.write((tx) => work(refusing(tx)));
    },
  };
  return { options: { storage, clock }, seen };
}

async function connectMany(fleet: Fleet, count: number) {
  const ids = Array.from({ length: count }, (_unused, index) => `s${index}`);
  const servers = await Promise.all(
    ids.map((id) => fleet.agent.connect({ hostname: `host-${id}`, id, ip: `10.0.0.${id.slice(1)}` })),
  );
  await fleet.settle();
  return servers;
}

/** Sends one report per server in the same turn of the event loop. */
async function reportAll(fleet: Fleet, servers: readonly { send(cmd: string, data: unknown): void }[], load = 1) {
  await fleet.clock.advanceTo(Math.floor(fleet.clock.now() / 60) * 60 + 61);
  for (const [index, server] of servers.entries())
    server.send("monitor", { version: "1.0", date: fleet.clock.now(), data: { load: [load], jobs: index } });
  await fleet.settle();
}
const jobsOf = async (fleet: Fleet, id: string): Promise<unknown[]> =>
  (await fleet.signalbox.api.getLatestMonitorData({ server: id, sys: "hourly", limit: 9 })).rows.map(
    (row) => row["active_jobs"],
  );

test("minutes that arrive together share a transaction, 128 of them at most", async () => {
  const { seen, options } = watchedStorage();
  // Without notices, whose writes about overloaded servers would be counted.
  const fleet = await start({ ...options, config: { notices: { enabled: false } } });
  const servers = await connectMany(fleet, 200);
  await reportAll(fleet, servers);
  for (const id of [0, 127, 128, 199]) expect(await jobsOf(fleet, `s${id}`)).toEqual([id]);
  const before = seen.writes;
  fleet.clock.step(60);
  for (const [index, server] of servers.entries())
    server.send("monitor", { version: "1.0", date: fleet.clock.now(), data: { jobs: index } });
  await fleet.settle();
  expect(seen.writes - before).toBe(2);
  for (const id of [0, 127, 128, 199]) expect(await jobsOf(fleet, `s${id}`)).toEqual([id, id]);
});

test("every minute of a slice emits its event after the commit, and its record can be read then", async () => {
  const fleet = await start(watchedStorage().options);
  const servers = await connectMany(fleet, 5);
  const heard: [string, unknown][] = [];
  fleet.signalbox.events.on("server.minute", ({ id }) =>
    heard.push([id, fleet.signalbox.api.getServer({ id }).then(({ data }) => data)]),
  );
  await reportAll(fleet, servers);
  expect(heard.map(([id]) => id)).toEqual(["s0", "s1", "s2", "s3", "s4"]);
  for (const [id, record] of heard) expect(await record).toMatchObject({ server: id, data: { jobs: Number(id[1]) } });
});

test("a minute that cannot be stored affects no other, and its server continues with the next", async () => {
  const fleet = await start(watchedStorage("s2").options);
  const servers = await connectMany(fleet, 5);
  await reportAll(fleet, servers);
  for (const id of [0, 1, 3, 4]) expect(await jobsOf(fleet, `s${id}`)).toEqual([id]);
  await expect(jobsOf(fleet, "s2")).rejects.toThrow("Failed to load server data");
  await reportAll(fleet, servers);
  for (const id of [0, 1, 3, 4]) expect(await jobsOf(fleet, `s${id}`)).toEqual([id, id]);
});

test("a minute whose past cannot be read is lost and logged, and the next one is stored", async () => {
  const { storage, clock } = watchedStorage().options;
  let isBroken = false;
  const read: Storage["read"] = (work) => (isBroken ? Promise.reject(new Error("No disk")) : storage.read(work));
  const log = recordingLogger();
  const fleet = await start({ storage: { ...storage, read }, clock, log });
  isBroken = true;
  const servers = await connectMany(fleet, 2);
  await reportAll(fleet, servers);
  isBroken = false;
  const lost = log.lines.filter(({ message }) => message === "The minute of a server could not be stored");
  expect(lost.map(({ fields }) => fields)).toMatchObject([{ server: "s0" }, { server: "s1" }]);
  await reportAll(fleet, servers);
  for (const id of [0, 1]) expect(await jobsOf(fleet, `s${id}`)).toEqual([id]);
});

test("alerts of many servers fire in one transaction, each logged with the address of its server", async () => {
  const fleet = await start(watchedStorage().options);
  const alert = { id: "hot", title: "Hot", expression: "load[0] > 5", message: "{{load[0]}}", samples: 2 };
  await fleet.signalbox.api.createAlert(alert);
  const servers = await connectMany(fleet, 3);
  for (const load of [9, 9, 9, 1, 1]) await reportAll(fleet, servers, load);
  const rows = await fleet.storage.read((tx) => tx.collection(activityCollection).list());
  const told = rows.filter(({ action }) => action === "alert_new" || action === "alert_cleared");
  expect(told.map(({ action, ip }) => [action, ip])).toEqual([
    ["alert_new", "10.0.0.0"],
    ["alert_new", "10.0.0.1"],
    ["alert_new", "10.0.0.2"],
    ["alert_cleared", "10.0.0.0"],
    ["alert_cleared", "10.0.0.1"],
    ["alert_cleared", "10.0.0.2"],
  ]);
});

test("alerts in a slice with a minute that cannot be stored fire exactly once", async () => {
  const fleet = await start(watchedStorage("s1").options);
  await fleet.signalbox.api.createAlert({ id: "hot", title: "Hot", expression: "load[0] > 5", message: "m" });
  const servers = await connectMany(fleet, 3);
  for (const load of [9, 9]) await reportAll(fleet, servers, load);
  const rows = await fleet.storage.read((tx) => tx.collection(activityCollection).list());
  expect(rows.filter(({ action }) => action === "alert_new").map(({ ip }) => ip)).toEqual(["10.0.0.0", "10.0.0.2"]);
});

test("of reports that come faster than they are processed, the newest per server waits", async () => {
  const { seen, options } = watchedStorage();
  const fleet = await start(options);
  const servers = await connectMany(fleet, 150);
  for (const minute of [0, 1, 2, 3])
    for (const server of servers) server.send("monitor", { version: "1.0", date: minute * 60, data: { jobs: minute } });
  await fleet.settle();
  // For the engine it is one minute: the first message is stored, the last is rejected as a duplicate, the others were
  // replaced.
  expect(await jobsOf(fleet, "s0")).toEqual([0]);
  expect(await jobsOf(fleet, "s149")).toEqual([0]);
  expect(seen.writes).toBeGreaterThan(0);
});
