import { describe, expect, test } from "vitest";
import { keyWith } from "../../../test/engine.ts";
import { type Fleet, limitedTo, useFleets } from "../../../test/fleet/fleet.ts";
import { joinAs, quiet } from "../../../test/fleet/snapshot-setup.ts";
import { snapshotCollection, snapshotPartCollection } from "../snapshots/collection.ts";
import { hostCollection } from "./collection.ts";

const start = useFleets();

const MARKER = "planted-marker-4711";
const COMMAND = `/usr/bin/backup --password=${MARKER} --host=db17`;
const shown = "/usr/bin/backup --password=**** --host=db17";
const process = { pid: 7, parentPid: 1, user: "joe", cpu: 1, memRss: 5, command: COMMAND };
const minute = {
  processes: { all: 2, list: [process, { pid: 8, command: "sleep 60" }] },
  docker: { containers: [{ id: "c1", command: `run --token ${MARKER}` }] },
  load: [1, 1, 1],
};
/** Everything that operations return about one minute and its snapshots. */
async function readAll(fleet: Fleet, caller: Parameters<Fleet["signalbox"]["as"]>[0]) {
  const as = fleet.signalbox.as(caller);
  return {
    server: (await as.getServer({ id: "s1" })).data,
    latest: (await as.getLatestMonitorData({ server: "s1", sys: "hourly", limit: 1 })).data,
    searched: (await as.searchSnapshots({ query: "*", limit: 10, verbose: true })).rows,
    read: (await as.getSnapshot({ id: (await as.searchSnapshots({ query: "*" })).rows[0]?.id ?? "" })).snapshot,
  };
}

async function setUp() {
  const fleet = await start(quiet);
  const server = await joinAs(fleet);
  await fleet.minute(server, minute);
  await fleet.clock.advance(5);
  await fleet.signalbox.api.createSnapshot({ server: "s1" });
  await fleet.signalbox.api.createGroupSnapshot({ group: "main" });
  return fleet;
}

describe("secrets in command lines", () => {
  test("are never stored, or shown to a caller", async () => {
    const fleet = await setUp();
    const stored = await fleet.storage.read((tx) =>
      Promise.all(
        [hostCollection, snapshotCollection, snapshotPartCollection].map((each) =>
          tx.collection(each as typeof hostCollection).list(),
        ),
      ),
    );
    expect(JSON.stringify(stored)).not.toContain(MARKER);
    expect(JSON.stringify(stored)).toContain(shown);
    const seen = JSON.stringify(await readAll(fleet, keyWith(["admin"])));
    expect(seen).not.toContain(MARKER);
    expect(seen).toContain(shown);
  });

  test("leave everything else of the minute as sent", async () => {
    const fleet = await setUp();
    const { data } = (await fleet.signalbox.api.getServer({ id: "s1" })).data as { data: typeof minute };
    expect(data).toMatchObject({
      processes: {
        all: 2,
        list: [
          { ...process, command: shown },
          { pid: 8, command: "sleep 60" },
        ],
      },
      docker: { containers: [{ id: "c1", command: "run --token ****" }] },
      load: [1, 1, 1],
    });
  });
});

describe("arguments of other users' processes", () => {
  test("are hidden from a caller without any right over the server", async () => {
    const fleet = await setUp();
    const all = await readAll(fleet, keyWith([]));
    expect(JSON.stringify(all)).not.toContain("--host=db17");
    for (const part of Object.values(all)) expect(JSON.stringify(part)).toContain('"command":"backup"');
    const { data } = all.server as { data: typeof minute };
    expect(data.processes.list).toEqual([
      { ...process, command: "backup" },
      { pid: 8, command: "sleep" },
    ]);
  });

  test.each(["create_snapshots", "update_servers", "edit_events", "edit_plugins"])(
    "are shown to a holder of %s",
    async (privilege) => {
      const fleet = await setUp();
      const all = await readAll(fleet, keyWith([privilege]));
      for (const part of Object.values(all)) expect(JSON.stringify(part)).toContain(shown);
    },
  );

  test("are shown to a caller who was given the server's group", async () => {
    const fleet = await setUp();
    const all = await readAll(fleet, limitedTo("main"));
    for (const part of Object.values(all)) expect(JSON.stringify(part)).toContain(shown);
  });
});
