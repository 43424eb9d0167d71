import assert from "node:assert/strict";
import type { Storage } from "../../../ports/storage/storage.ts";
import type { ClaimOptions, EnqueueOptions } from "../../../ports/storage/work.ts";
import type { StorageCases } from "./storage-fixtures.ts";

const KIND = "conformance";
const claim = (storage: Storage, over: Partial<ClaimOptions> = {}) =>
  storage.work.claim({ node: "n1", kinds: [KIND], limit: 100, now: 1000, leaseSec: 60, ...over });
const enqueue = (storage: Storage, payload: unknown, options: EnqueueOptions = {}) =>
  storage.write((tx) => tx.enqueue(KIND, payload, { runAt: 1000, ...options }));
const payloads = async (storage: Storage, over?: Partial<ClaimOptions>) =>
  (await claim(storage, over)).map(({ payload }) => payload);

export const queueCases: StorageCases = {
  async "hands out due items, oldest due first, with their payload"({ storage }) {
    await enqueue(storage, { text: "\u0000 \ud800" }, { runAt: 900.5 });
    await enqueue(storage, null, { runAt: 800 });
    await enqueue(storage, "later", { runAt: 1000.5 });
    await enqueue(storage, [1], { runAt: 900.5, key: "k" });
    const items = await claim(storage);
    assert.equal(
      JSON.stringify(items.map(({ payload }) => payload)),
      JSON.stringify([null, { text: "\u0000 \ud800" }, [1]]),
    );
    assert.deepEqual(
      items.map(({ kind, key, attempts }) => ({ kind, key, attempts })),
      [null, null, "k"].map((key) => ({ kind: KIND, key, attempts: 0 })),
    );
    assert.equal(new Set(items.map(({ token }) => token)).size, 3);
    assert.deepEqual(await payloads(storage, { now: 1001 }), ["later"]);
  },
  async "hands out only the requested kinds and number"({ storage }) {
    for (let n = 0; n < 5; n++) await enqueue(storage, n);
    await storage.write((tx) => tx.enqueue("conformance.other", "x", { runAt: 1 }));
    assert.deepEqual(await payloads(storage, { limit: 2 }), [0, 1]);
    assert.deepEqual(await payloads(storage, { kinds: [] }), []);
    assert.deepEqual(await payloads(storage, { limit: 0 }), []);
    assert.deepEqual(await payloads(storage, { kinds: [KIND, "conformance.other"] }), ["x", 2, 3, 4]);
  },
  async "never hands one item to two claims at a time"({ storage }) {
    await storage.write(async (tx) => {
      for (let n = 0; n < 200; n++) await tx.enqueue(KIND, n, { runAt: 1000 });
    });
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_unused, n) => claim(storage, { node: `n${n}`, limit: 25 })),
    );
    const ids = claims.flat().map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
    const rest = await claim(storage, { limit: 200 });
    assert.equal(ids.length + rest.length, 200);
  },
  async "finds the same with a look before the claim"({ storage }) {
    await enqueue(storage, "anybody's");
    await enqueue(storage, "another node's", { node: "n2" });
    assert.deepEqual(await payloads(storage, { look: true, now: 999 }), []);
    assert.deepEqual(await payloads(storage, { look: true }), ["anybody's"]);
    assert.deepEqual(await payloads(storage, { look: true, now: 1059 }), []);
    assert.deepEqual(await payloads(storage, { look: true, now: 1059, node: "n2" }), ["another node's"]);
    assert.deepEqual(await payloads(storage, { look: true, now: 1060 }), ["anybody's"]);
  },
  async "frees an item when the lease ends, under another token"({ storage }) {
    await enqueue(storage, "x");
    const [first] = await claim(storage);
    assert.deepEqual(await payloads(storage, { now: 1059 }), []);
    const [second] = await claim(storage, { now: 1060, node: "n2" });
    assert.equal(second?.id, first?.id);
    assert.equal(second?.attempts, 1);
    assert.notEqual(second?.token, first?.token);
  },
  async "lets only the live claim renew, complete and release"({ storage }) {
    await enqueue(storage, "x");
    const stale = await claim(storage);
    const live = await claim(storage, { now: 1060 });
    assert.deepEqual(await storage.work.renew(stale, 5000), []);
    await storage.work.complete(stale);
    for (const item of stale) await storage.work.release(item, { runAt: 0, error: "stale", now: 1060 });
    assert.deepEqual(await payloads(storage, { now: 1061 }), []);
    assert.deepEqual(
      await storage.work.renew(live, 2000),
      live.map(({ token }) => token),
    );
    assert.deepEqual(await payloads(storage, { now: 1999 }), []);
    await storage.work.complete(live);
    assert.deepEqual(await payloads(storage, { now: 9999 }), []);
    assert.deepEqual(await storage.work.stats(), { open: 0, failed: 0 });
  },
  async "renews and completes several claims at once"({ storage }) {
    for (let n = 0; n < 3; n++) await enqueue(storage, n);
    const items = await claim(storage);
    assert.deepEqual(await storage.work.renew([], 1), []);
    const renewed = await storage.work.renew(items, 2000);
    assert.deepEqual(renewed.toSorted(), items.map(({ token }) => token).toSorted());
    await storage.work.complete(items.slice(0, 2));
    await storage.work.complete([]);
    assert.deepEqual(await payloads(storage, { now: 2000 }), [2]);
  },
  async "compares leases with the given time, if there is one"({ storage }) {
    await enqueue(storage, "one");
    assert.deepEqual(await payloads(storage, { leaseNow: 5000 }), ["one"]);
    for (const look of [true, false]) {
      assert.deepEqual(await payloads(storage, { now: 9000, leaseNow: 5059, look }), []);
      assert.deepEqual(await payloads(storage, { now: 9000, leaseNow: 5060, leaseSec: 0, look }), ["one"]);
    }
  },
  async "replaces the waiting item of the same kind and key"({ storage }) {
    await enqueue(storage, "old", { key: "k", runAt: 500 });
    await enqueue(storage, "other", { key: "k2" });
    await enqueue(storage, "new", { key: "k", runAt: 2000, node: "n1" });
    await storage.write((tx) => tx.enqueue("conformance.other", "same key", { key: "k", runAt: 1 }));
    assert.deepEqual(await payloads(storage, { leaseSec: 5000 }), ["other"]);
    assert.deepEqual(await payloads(storage, { now: 2000 }), ["new"]);
    assert.deepEqual(await storage.work.stats(), { open: 3, failed: 0 });
  },
  async "keeps a new item that was enqueued while the old one of its key runs"({ storage }) {
    await enqueue(storage, "old", { key: "k" });
    const running = await claim(storage);
    await enqueue(storage, "new", { key: "k", runAt: 1010 });
    assert.deepEqual(await storage.work.renew(running, 9000), []);
    await storage.work.complete(running);
    for (const item of running) await storage.work.release(item, { runAt: 0, error: "x", now: 1000 });
    assert.deepEqual(await payloads(storage, { now: 1010 }), ["new"]);
  },
  async "leaves items pinned to another node alone"({ storage }) {
    await enqueue(storage, "theirs", { node: "n2" });
    await enqueue(storage, "ours", { node: "n1" });
    assert.deepEqual(await payloads(storage), ["ours"]);
    assert.deepEqual(await payloads(storage, { node: "n2" }), ["theirs"]);
  },
  async "releases the claims of a dead node, and items that only it might run"({ storage }) {
    await enqueue(storage, "claimed");
    const lost = await claim(storage, { node: "dead" });
    await enqueue(storage, "pinned", { node: "dead" });
    await enqueue(storage, "pinned elsewhere", { node: "n3" });
    await enqueue(storage, "claimed elsewhere");
    const held = await claim(storage, { node: "n2" });
    await storage.work.free("dead");
    assert.deepEqual(await payloads(storage, { now: 1001 }), ["claimed", "pinned"]);
    assert.deepEqual(await storage.work.renew(lost, 5000), []);
    assert.equal((await storage.work.renew(held, 5000)).length, 1);
    await storage.work.free();
    assert.deepEqual(await payloads(storage, { now: 1002 }), [
      "claimed",
      "pinned",
      "pinned elsewhere",
      "claimed elsewhere",
    ]);
  },
  async "corrects items queued by a clock that was ahead: each waits for its delay"({ storage }) {
    const giveBack = async (payload: string, runAt: number, now: number): Promise<void> => {
      await enqueue(storage, payload);
      for (const item of await claim(storage)) await storage.work.release(item, { runAt, error: "failed", now });
    };
    await giveBack("a while", 90_060, 90_000);
    await giveBack("longer", 90_061, 90_000);
    await giveBack("before", 1100, 999);
    await storage.work.rewind(1000, 60);
    assert.deepEqual(await payloads(storage, { now: 1059 }), []);
    assert.deepEqual(await payloads(storage, { now: 1060, leaseSec: 99_000 }), ["a while"]);
    assert.deepEqual(await payloads(storage, { now: 1100, leaseSec: 99_000 }), ["before"]);
    assert.deepEqual(await payloads(storage, { now: 90_060 }), []);
    assert.deepEqual(await payloads(storage, { now: 90_061 }), ["longer"]);
  },
  async "hands out a released item again when it is due, with its attempts"({ storage }) {
    await enqueue(storage, "x");
    for (const item of await claim(storage))
      await storage.work.release(item, { runAt: 1030, error: "failed once", now: 1000 });
    assert.deepEqual(await payloads(storage, { now: 1029 }), []);
    const [again] = await claim(storage, { now: 1030 });
    assert.equal(again?.attempts, 1);
  },
  async "keeps a dead item for inspection; a new one of its key is independent"({ storage }) {
    await enqueue(storage, "x", { key: "k" });
    for (const item of await claim(storage))
      await storage.work.release(item, { runAt: null, error: "gave up", now: 1030 });
    assert.deepEqual(await payloads(storage, { now: 1e12 }), []);
    assert.deepEqual(await storage.work.stats(), { open: 0, failed: 1 });
    await enqueue(storage, "y", { key: "k" });
    assert.deepEqual(await storage.work.stats(), { open: 1, failed: 1 });
    assert.deepEqual(await payloads(storage), ["y"]);
  },
  async "wakes the dispatcher after the commit, never after a rollback"({ storage }) {
    let woken = 0;
    const subscription = storage.work.onEnqueued(() => {
      woken += 1;
    });
    await storage.write(async (tx) => {
      await tx.enqueue(KIND, 1);
      await tx.enqueue(KIND, 2);
      assert.equal(woken, 0);
    });
    assert.equal(woken, 1);
    await enqueue(storage, "later", { runAt: 1e12 });
    assert.equal(woken, 1);
    const failed = storage.write(async (tx) => {
      await tx.enqueue(KIND, 3);
      throw new Error("stop");
    });
    await assert.rejects(failed, /stop/);
    subscription[Symbol.dispose]();
    await enqueue(storage, 4);
    assert.equal(woken, 1);
  },
};
