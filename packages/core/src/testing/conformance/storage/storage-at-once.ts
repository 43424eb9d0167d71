import assert from "node:assert/strict";
import { changeProbe, inserted, others, probe, probes, type StorageCases } from "./storage-fixtures.ts";

/** Synchronous reads, which are optional for a storage. */
export const atOnceCases: StorageCases = {
  async "reads at once only committed data, where it can"({ storage }) {
    const { readAtOnce } = storage;
    if (!readAtOnce?.(probes)) return;
    await inserted(storage, probe("a"), probe("b"));
    await changeProbe(storage, "a", (current) => ({ ...current, rank: 2 }));
    await storage.write(async (tx) => {
      await tx.collection(probes).insert(probe("c"));
      assert.ok(!readAtOnce(probes)?.some(({ id }) => id === "c"));
    });
    assert.deepEqual(readAtOnce(probes, "a"), [probe("a", { rank: 2 })]);
    assert.deepEqual(
      readAtOnce(probes)?.map(({ id }) => id),
      ["a", "b", "c"],
    );
    assert.deepEqual(JSON.parse(readAtOnce.text(probes, "a") ?? ""), probe("a", { rank: 2 }));
    assert.deepEqual([readAtOnce.text(probes, "x"), readAtOnce.text(probes, "")], [undefined, undefined]);
    assert.deepEqual([readAtOnce(probes, "x"), readAtOnce(probes, ""), readAtOnce(others)], [[], [], []]);
  },
  async "knows that a collection is empty, where it can, until a record is committed"({ storage }) {
    const { isKnownEmpty } = storage;
    if (!isKnownEmpty?.(probes)) return;
    await storage.write(async (tx) => {
      await tx.collection(probes).insert(probe("a"));
      // An answer given during the transaction must not be cached beyond the commit.
      isKnownEmpty(probes);
      tx.afterCommit(() => assert.equal(isKnownEmpty(probes), false));
    });
    assert.deepEqual([isKnownEmpty(probes), isKnownEmpty(others)], [false, true]);
    await storage.write((tx) => tx.collection(probes).delete("a"));
    assert.ok(isKnownEmpty(probes));
  },
  async "finds a collection empty, where it can, until a record is committed"({ storage }) {
    const { isEmpty } = storage;
    if (!isEmpty) return;
    assert.ok(await isEmpty(probes));
    await inserted(storage, probe("a"));
    assert.deepEqual([await isEmpty(probes), await isEmpty(others)], [false, true]);
    await storage.write((tx) => tx.collection(probes).delete("a"));
    assert.ok(await isEmpty(probes));
  },
  async "knows that no work is queued, where it can, until some is committed"({ storage }) {
    const isKnownEmpty = (): boolean | undefined => storage.work.isKnownEmpty?.();
    if (!isKnownEmpty()) return;
    await storage.write(async (tx) => {
      await tx.enqueue("kind", {}, { runAt: 2000 });
      isKnownEmpty();
      tx.afterCommit(() => assert.equal(isKnownEmpty(), false));
    });
    assert.equal(isKnownEmpty(), false);
    const items = await storage.work.claim({ node: "n", kinds: ["kind"], limit: 1, now: 2000, leaseSec: 60 });
    // A claimed item is there until it is completed.
    assert.equal(isKnownEmpty(), false);
    await storage.work.complete(items);
    assert.ok(isKnownEmpty());
  },
};
