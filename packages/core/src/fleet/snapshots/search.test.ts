import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../test/engine.ts";
import { useFleets } from "../../../test/fleet/fleet.ts";
import { createGroupOf, joinAs, minuteData, quiet, snapshotter } from "../../../test/fleet/snapshot-setup.ts";
import { snapshotCollection } from "./collection.ts";

const start = useFleets();
const HEAVY = ["conns", "processes", "mounts", "commands"];

async function setUp() {
  const fleet = await start(quiet);
  await createGroupOf(fleet, "db");
  await fleet.minute(await joinAs(fleet, "s1", ["main"]), minuteData);
  await fleet.minute(await joinAs(fleet, "s2", ["db"]), minuteData);
  await fleet.settle();
  const { api } = fleet.signalbox;
  const first = (await api.createSnapshot({ server: "s1" })).id;
  const second = (await api.createSnapshot({ server: "s2" })).id;
  const group = (await api.createGroupSnapshot({ group: "db" })).id;
  const find = async (query: string, members: object = {}) =>
    (await api.searchSnapshots({ query, limit: 100, ...members })).rows.map(({ id }) => id);
  return { fleet, api, first, second, group, find };
}

describe("search_snapshots", () => {
  test("finds by every indexed field, newest first", async () => {
    const { find, first, second, group } = await setUp();
    expect(await find("*")).toEqual([group, second, first]);
    expect(await find("", { sort_dir: 1 })).toEqual([first, second, group]);
    expect(await find("type:group")).toEqual([group]);
    expect(await find("type:server source:user")).toEqual([second, first]);
    expect(await find("source:watch")).toEqual([]);
    expect(await find("server:s1")).toEqual([first]);
    expect(await find("groups:db")).toEqual([group, second]);
    expect(await find("date:<2000")).toEqual([]);
    expect(await find(`#id:${second}`)).toEqual([second]);
  });

  test("answers one row unless another number is requested, and gives the total", async () => {
    const { api, second } = await setUp();
    const { rows, list } = await api.searchSnapshots({ offset: 1 });
    expect(rows.map(({ id }) => id)).toEqual([second]);
    expect(list.length).toBe(3);
  });

  test("leaves out heavy members unless they are requested", async () => {
    const { api } = await setUp();
    const { rows } = await api.searchSnapshots({ limit: 3 });
    expect(rows[1]?.data).toMatchObject({ load: [1, 2, 3], interfaces: minuteData.interfaces });
    for (const member of HEAVY) expect(rows[1]?.data).not.toHaveProperty(member);
    expect(rows[0]?.data).toEqual({});
    for (const member of ["servers", "snapshots", "group_def", "quickmons", "parts", "size", "lightSize"])
      expect(rows[0]).not.toHaveProperty(member);
    const whole = (await api.searchSnapshots({ limit: 3, verbose: "1" } as never)).rows;
    expect(whole[1]?.data).toMatchObject(minuteData);
    expect(whole[0]).toMatchObject({ servers: [{ id: "s2" }], snapshots: [{ data: minuteData }], quickmons: [[]] });
  });

  test("limited callers find snapshots that share a group with them", async () => {
    const { fleet, first } = await setUp();
    const mine = await fleet.signalbox.as(snapshotter("main")).searchSnapshots({ limit: 100 });
    expect(mine.rows.map(({ id }) => id)).toEqual([first]);
    expect(mine.list.length).toBe(1);
    const evading = { query: "groups:db | type:server", limit: 100 };
    expect((await fleet.signalbox.as(snapshotter("main")).searchSnapshots(evading)).list.length).toBeLessThan(2);
  });

  test("refuses unknown sorters", async () => {
    const { api } = await setUp();
    expect((await refusalOf(api.searchSnapshots({ sort_by: "hostname" }))).code).toBe("db");
  });

  test("continues over many rows, and ends a page that grows too large", async () => {
    const { fleet, api } = await setUp();
    const light = { type: "server", source: "watch", date: 1, server: "s9", groups: [], alerts: [], jobs: [] } as const;
    await fleet.storage.write(async (tx) => {
      for (let n = 0; n < 150; n++)
        await tx.collection(snapshotCollection).insert({
          ...{ ...light, id: `sna${String(n).padStart(3, "0")}`, groups: [], alerts: [], jobs: [] },
          ...{ parts: 0, size: 1_000_000, lightSize: 10 },
        });
    });
    const query = "server:s9";
    expect((await api.searchSnapshots({ query, limit: 140 })).rows).toHaveLength(140);
    expect((await api.searchSnapshots({ query, limit: 1000 })).rows).toHaveLength(150);
    const page = await api.searchSnapshots({ query, limit: 1000, verbose: true });
    expect([page.rows.length, page.list.length]).toEqual([17, 150]);
    const next = await api.searchSnapshots({ query, limit: 1000, verbose: true, offset: 17 });
    expect(next.rows[0]?.id).toBe("sna132");
  });
});
