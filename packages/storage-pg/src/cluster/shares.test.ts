import { expect, test } from "vitest";
import { useDatabase } from "../../test/fixtures.ts";

const { openStorage, database } = useDatabase();

const MINUTE = 30_000_000;

test("nodes take shares of a minute side by side, and never more than there is", async () => {
  const nodes = [await openStorage(), await openStorage(), await openStorage(), await openStorage()];
  const granted: number[] = [];
  const takeAll = async (node: (typeof nodes)[number]): Promise<void> => {
    for (;;) {
      const share = (await node.coordination.takeShare?.({ minute: MINUTE, most: 1000 })) ?? Number.NaN;
      if (share === 0) return;
      granted.push(share);
    }
  };
  await Promise.all(nodes.map(takeAll));
  expect(granted.reduce((sum, share) => sum + share, 0)).toBe(1000);
  // One live node needs at most ten statements for nine tenths of the rate, then one for each launch of the rest.
  expect(granted.length).toBeLessThanOrEqual(40 + 100);
  expect(granted.filter((share) => share > 1).length).toBeGreaterThanOrEqual(9);
});

test("more nodes take smaller shares; each minute has its own", async () => {
  const storage = await openStorage();
  const take = (minute: number, most = 1000) => storage.coordination.takeShare?.({ minute, most });
  await database.admin.query("delete from signalbox.sb_nodes");
  expect(await take(MINUTE)).toBe(100);
  await database.admin.query("insert into signalbox.sb_nodes (id, seen) values ('a', 0), ('b', 0), ('c', 0), ('d', 0)");
  expect(await take(MINUTE)).toBe(25);
  expect(await take(MINUTE + 1)).toBe(25);
  expect([await take(MINUTE + 2, 1), await take(MINUTE + 2, 1)]).toEqual([1, 0]);
});

test("minutes of the day before are deleted", async () => {
  const storage = await openStorage();
  for (const minute of [MINUTE, MINUTE + 1, MINUTE + 1441])
    await storage.coordination.takeShare?.({ minute, most: 10 });
  const { rows } = await database.admin.query("select minute from signalbox.sb_rates order by minute");
  expect(rows.map(({ minute }) => Number(minute))).toEqual([MINUTE + 1, MINUTE + 1441]);
});
