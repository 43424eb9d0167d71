import assert from "node:assert/strict";
import { ConflictError } from "../../../kernel/errors/errors.ts";
import {
  changeProbe,
  claimAll,
  inserted,
  listIds,
  probe,
  probes,
  readProbe,
  type StorageCases,
} from "./storage-fixtures.ts";

export const transactionCases: StorageCases = {
  async "returns the result of the work"({ storage }) {
    assert.equal(await storage.write(async () => "done"), "done");
    assert.equal(await storage.read(async () => "read"), "read");
  },
  async "leaves no trace of failed work in records, indexes, timeline, counters and queue"({ storage }) {
    await inserted(storage, probe("kept", { rank: 1, tags: ["t"], code: "k" }));
    const key = { server: "s", system: "hourly" };
    const failure = storage.write(async (tx) => {
      await tx.collection(probes).insert(probe("a", { code: "x" }));
      await tx.collection(probes).update("kept", (current) => ({ ...current, tags: ["u"], code: "l" }));
      await tx.timeline.put(key, { epoch_div: 1, date: 60, count: 1, totals: {} });
      await tx.counter("number");
      await tx.enqueue("conformance", {});
      throw new Error("stop");
    });
    await assert.rejects(failure, /stop/);
    assert.equal(await storage.read(listIds), "kept");
    assert.deepEqual((await readProbe(storage, "kept"))?.tags, ["t"]);
    await inserted(storage, probe("b", { code: "l" }), probe("c", { code: "x" }));
    assert.equal(await storage.read((tx) => tx.timeline.bounds(key)), undefined);
    assert.equal(await storage.write((tx) => tx.counter("number")), 1);
    assert.deepEqual(await claimAll(storage), []);
  },
  async "leaves no trace of failed work among concurrent work"({ storage }) {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_unused, index) =>
        storage.write(async (tx) => {
          await tx.collection(probes).insert(probe(`p${index}`));
          await tx.collection(probes).update(`p${index}`, (current) => ({ ...current, rank: index }));
          if (index % 3 === 0) throw new Error("stop");
        }),
      ),
    );
    const kept = outcomes.flatMap(({ status }, index) => (status === "fulfilled" ? [`p${index}`] : []));
    assert.deepEqual((await storage.read(listIds)).split(" ").sort(), kept.sort());
    assert.equal(kept.length, 13);
  },
  async "counts without gaps from 1, separately for each counter"({ storage }) {
    const next = (name: string) => storage.write((tx) => tx.counter(name));
    const numbers = await Promise.all(Array.from({ length: 30 }, () => next("a")));
    assert.deepEqual(
      numbers.toSorted((a, b) => a - b),
      Array.from({ length: 30 }, (_unused, index) => index + 1),
    );
    await assert.rejects(
      storage.write(async (tx) => {
        await tx.counter("a");
        throw new Error("stop");
      }),
    );
    assert.deepEqual([await next("a"), await next("b")], [31, 1]);
  },
  async "continues counting from a given larger value, and returns the last number"({ storage }) {
    const next = (above?: number) => storage.write((tx) => tx.counter("a", above));
    const last = () => storage.read((tx) => tx.counted("a"));
    assert.equal(await last(), 0);
    assert.deepEqual([await next(4), await next(), await next(2), await next(9)], [5, 6, 7, 10]);
    assert.equal(await last(), 10);
    const within = storage.write(async (tx) => [await tx.counter("a"), await tx.counted("a")]);
    assert.deepEqual(await within, [11, 11]);
  },
  async "lets exactly one of eight racing updates win each revision"({ storage }) {
    await inserted(storage, probe("a", { rank: 0 }));
    const settled = await Promise.allSettled(
      Array.from({ length: 8 }, () =>
        changeProbe(storage, "a", (current) => ({ ...current, rank: (current.rank ?? 0) + 1 })),
      ),
    );
    const ranks = settled.flatMap((one) => (one.status === "fulfilled" ? [one.value.rank] : []));
    for (const one of settled)
      if (one.status === "rejected") assert.ok(one.reason instanceof ConflictError, one.reason);
    assert.ok(ranks.length > 0);
    assert.deepEqual(
      ranks.toSorted(),
      ranks.map((_unused, index) => index + 1),
    );
    assert.equal((await readProbe(storage, "a"))?.rank, ranks.length);
  },
  async "lets exactly one of eight racing writers take a free record"({ storage }) {
    await inserted(storage, probe("a", { rank: 0 }));
    const settled = await Promise.allSettled(
      Array.from({ length: 8 }, () =>
        storage.write(async (tx) => {
          const found = await tx.collection(probes).get("a");
          if (found?.rank !== 0) throw new Error("taken");
          await tx.collection(probes).update("a", (current) => ({ ...current, rank: 1 }));
        }),
      ),
    );
    assert.equal(settled.filter(({ status }) => status === "fulfilled").length, 1);
  },
  async "serialises writers of one key"({ storage }) {
    await inserted(storage, probe("a", { rank: 0 }));
    await Promise.all(
      Array.from({ length: 8 }, () =>
        storage.write(async (tx) => {
          await tx.lock("key \u0000 'of any text");
          await tx.collection(probes).update("a", (current) => ({ ...current, rank: (current.rank ?? 0) + 1 }));
        }),
      ),
    );
    assert.equal((await readProbe(storage, "a"))?.rank, 8);
  },
  async "acquires a free key at once, with and without a bound"({ storage }) {
    const won = await storage.write(async (tx) => [await tx.lock("free"), await tx.lock("free", 0)]);
    assert.deepEqual(won, [true, true]);
  },
  async "shows a reader one snapshot, whatever is committed meanwhile"({ storage }) {
    await inserted(storage, probe("a"));
    const written = Promise.withResolvers<void>();
    const firstRead = Promise.withResolvers<void>();
    const reading = storage.read(async (tx) => {
      const before = await listIds(tx);
      firstRead.resolve();
      // Product code must not use `setImmediate`; here it makes the order certain. A backend with one connection commits later.
      await Promise.race([written.promise, new Promise((resolve) => setImmediate(resolve))]);
      return [before, await listIds(tx)];
    });
    await firstRead.promise;
    await inserted(storage, probe("b")).then(written.resolve);
    assert.deepEqual(await reading, ["a", "a"]);
    assert.equal(await storage.read(listIds), "a b");
  },
  async "shows committed data to all later readers"({ storage }) {
    for (let round = 0; round < 20; round++) {
      await inserted(storage, probe(`p${round}`));
      const [one, many] = await Promise.all([readProbe(storage, `p${round}`), storage.read(listIds)]);
      assert.equal(one?.id, `p${round}`);
      assert.equal(many.split(" ").length, round + 1);
    }
  },
  async "calls listeners after the commit, in the order of registration, before write resolves"({ storage }) {
    const calls: string[] = [];
    await storage
      .write(async (tx) => {
        tx.afterCommit(() => calls.push("first"));
        tx.afterCommit(() => calls.push("second"));
        await tx.collection(probes).insert(probe("a"));
        calls.push("work");
      })
      .then(() => calls.push("resolved"));
    assert.deepEqual(calls, ["work", "first", "second", "resolved"]);
  },
  async "calls listeners in the order of commits"({ storage }) {
    const calls: number[] = [];
    await inserted(storage, probe("a", { rank: 0 }));
    await Promise.all(
      Array.from({ length: 10 }, () =>
        storage.write(async (tx) => {
          await tx.lock("order");
          const { rank } = await tx.collection(probes).update("a", (old) => ({ ...old, rank: (old.rank ?? 0) + 1 }));
          tx.afterCommit(() => calls.push(rank ?? 0));
        }),
      ),
    );
    assert.deepEqual(calls, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  },
  async "calls no listener after a rollback, and survives one that throws"({ storage }) {
    let called = 0;
    const failed = storage.write(async (tx) => {
      tx.afterCommit(() => {
        called += 1;
      });
      throw new Error("stop");
    });
    await assert.rejects(failed, /stop/);
    assert.equal(called, 0);
    await storage.write(async (tx) => {
      tx.afterCommit(() => {
        throw new Error("listener");
      });
      tx.afterCommit(() => {
        called += 1;
      });
    });
    assert.equal(called, 1);
  },
  async "publishes without listeners, and accepts any message"({ storage }) {
    await storage.write(async (tx) => {
      tx.publish({ type: "conformance", payload: { text: "\u0000' \ud800" } });
      tx.publish({ type: "conformance", payload: "x".repeat(10_000) });
    });
  },
  async "refuses a write inside the work of another write, and continues"({ storage }) {
    const nested = storage.write(async (tx) => {
      await tx.collection(probes).insert(probe("a"));
      await storage.write(async () => undefined);
    });
    await assert.rejects(nested, /write/);
    await inserted(storage, probe("b"));
    assert.equal(await storage.read(listIds), "b");
  },
  async "allows writes that a listener or the end of a transaction starts"({ storage }) {
    const followUp = Promise.withResolvers<void>();
    await storage.write(async (tx) => {
      tx.afterCommit(() => void inserted(storage, probe("b")).then(followUp.resolve, followUp.reject));
      await tx.collection(probes).insert(probe("a"));
    });
    await followUp.promise;
    assert.equal(await storage.read(listIds), "a b");
  },
  async "refuses calls on a transaction that has ended"({ storage }) {
    const tx = await storage.write(async (open) => open.collection(probes));
    await assert.rejects(tx.insert(probe("a")));
    const read = await storage.read(async (open) => open.collection(probes));
    await assert.rejects(async () => read.get("a"));
    assert.equal(await storage.read(listIds), "");
  },
  async "refuses a value that is no transaction of the host"({ storage }) {
    for (const handle of [undefined, null, 1, {}, { query: 1 }, () => undefined])
      assert.throws(() => storage.adopt(handle), TypeError);
  },
};
