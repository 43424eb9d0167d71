import { expect, test } from "vitest";
import { idsOf, notes, useDatabase } from "../test/fixtures.ts";

const { database, openStorage } = useDatabase();

/** A transaction of another node that holds a key until it is told to end. */
async function hold(key: string) {
  const holder = await openStorage();
  const held = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const done = holder.write(async (tx) => {
    await tx.lock(key);
    held.resolve();
    await release.promise;
  });
  await held.promise;
  return {
    async release() {
      release.resolve();
      await done;
    },
  };
}

test("a key that another node holds for too long is not waited for, and the transaction continues without it", async () => {
  const storage = await openStorage();
  const faults: unknown[] = [];
  using _listener = storage.onFault?.((error) => faults.push(error));
  const holder = await hold("bucket:b1");
  const won = await storage.write(async (tx) => {
    const first = await tx.lock("bucket:b1", 60);
    await tx.collection(notes).insert({ id: first ? "won" : "lost", n: 1 });
    return [first, await tx.lock("bucket:b1", 0), await tx.lock("bucket:b2", 0)];
  });
  expect(won).toEqual([false, false, true]);
  expect(await idsOf(storage)).toEqual(["lost"]);
  expect(faults).toEqual([]);
  await holder.release();
});

test("a key that becomes free in time is acquired, and others wait for it then", async () => {
  const storage = await openStorage();
  const holder = await hold("bucket:b1");
  const waiting = storage.write(async (tx) => {
    const won = await tx.lock("bucket:b1", 30_000);
    const other = await openStorage();
    return [won, await other.write((second) => second.lock("bucket:b1", 20))];
  });
  await holder.release();
  expect(await waiting).toEqual([true, false]);
});

test("a read after the first write of a transaction is sent once that write is done", async () => {
  const storage = await openStorage();
  const holder = await openStorage();
  const { promise: counted, resolve: tell } = Promise.withResolvers<void>();
  const { promise: blocked, resolve: goOn } = Promise.withResolvers<void>();
  const first = holder.write(async (tx) => {
    await tx.counter("numbers");
    tell();
    await blocked;
    await tx.collection(notes).insert({ id: "floor", n: 1 });
  });
  await counted;
  const second = storage.write((tx) => Promise.all([tx.counter("numbers"), tx.collection(notes).get("floor")]));
  const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await expect.poll(async () => (await database.admin.query(waiting)).rows.length).toBe(1);
  goOn();
  await first;
  expect(await second).toEqual([2, { id: "floor", n: 1 }]);
});
