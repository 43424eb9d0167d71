import { expect, test } from "vitest";
import { idsOf, notes, useDatabase } from "../test/fixtures.ts";

const { openStorage } = useDatabase();

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

test("a key that another node holds for too long is not waited for, and the transaction goes on without it", async () => {
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

test("a key that comes free in time is had, and others wait for it then", async () => {
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
