import assert from "node:assert/strict";
import { type Column, defineCollection } from "../../../ports/storage/collection.ts";
import {
  claimAll,
  inserted,
  laterProbes,
  listIds,
  type Probe,
  probe,
  probes,
  type StorageCases,
} from "./storage-fixtures.ts";

export const reopenCases: StorageCases = {
  async "keeps records, counters, timeline and queue over a restart"({ storage, reopen }) {
    const key = { server: "s", system: "hourly" };
    await storage.write(async (tx) => {
      await tx.collection(probes).insert(probe("a"));
      await tx.counter("number");
      await tx.timeline.put(key, { epoch_div: 1, date: 60, count: 1, totals: { m: 2 } });
      await tx.enqueue("conformance", { n: 1 });
    });
    const next = await reopen([probes]);
    assert.equal(await next.read(listIds), "a");
    assert.equal(await next.write((tx) => tx.counter("number")), 2);
    assert.deepEqual(await next.read((tx) => tx.timeline.bounds(key)), { first: 1, last: 1 });
    assert.deepEqual(
      (await claimAll(next)).map(({ payload }) => payload),
      [{ n: 1 }],
    );
  },
  async "waits for the running transaction at its end, and keeps its changes"({ storage, reopen }) {
    const [inside, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const writing = storage.write(async (tx) => {
      await tx.collection(probes).insert(probe("a"));
      inside.resolve();
      await mayEnd.promise;
      await tx.collection(probes).insert(probe("b"));
    });
    await inside.promise;
    const next = reopen([probes]);
    mayEnd.resolve();
    await writing;
    assert.equal(await (await next).read(listIds), "a b");
  },
  async "indexes old records again when the declaration has changed"({ storage, reopen }) {
    const records = Array.from({ length: 600 }, (_unused, index) =>
      probe(`p${index}`, { title: index % 2 ? "short" : "somewhat longer", tags: [`t${index % 3}`] }),
    );
    await inserted(storage, ...records);
    const next = await reopen([laterProbes]);
    const count = (field: string, value: number) =>
      next.read(async (tx) => {
        const where = { kind: "compare", field, operator: "eq", value } as const;
        return (await tx.collection(laterProbes).find(where, { limit: 0 })).total;
      });
    assert.deepEqual([await count("size", 5), await count("size", 15)], [300, 300]);
    const initial = await next.read((tx) =>
      tx.collection(laterProbes).find({ kind: "term", field: "initial", words: ["s"] }, { limit: 1 }),
    );
    assert.equal(initial.total, 600);
    const last = await reopen([probes]);
    const tagged = await last.read((tx) => tx.collection(probes).find({ kind: "term", field: "tags", words: ["t1"] }));
    assert.equal(tagged.total, 200);
  },
  async "indexes old texts again when another field is declared, and follows changes after it"({ storage, reopen }) {
    const title = (index: number): string => (index % 2 ? "Lamps rebooting" : "Zip targeting");
    const records = Array.from({ length: 600 }, (_unused, index) =>
      probe(`p${index}`, { title: title(index), words: ["zip", `w${index}`] }),
    );
    await inserted(storage, ...records);
    const next = await reopen([laterProbes]);
    const count = (field: string, ...phrase: string[]) =>
      next.read(async (tx) => {
        const where = { kind: "text", field, phrases: [phrase] } as const;
        return (await tx.collection(laterProbes).find(where, { limit: 0 })).total;
      });
    assert.deepEqual([await count("title", "lamp", "reboot"), await count("words", "lamp")], [300, 0]);
    assert.deepEqual([await count("title", "zip"), await count("words", "zip")], [300, 600]);
    assert.equal(await count("words", "zip", "w550"), 1);
    await next.write(async (tx) => {
      await tx.collection(laterProbes).update("p1", (old) => ({ ...old, title: "Gone", words: [] }));
      await tx.collection(laterProbes).delete("p0");
    });
    assert.deepEqual([await count("title", "lamp"), await count("title", "zip")], [299, 299]);
    assert.equal(await count("words", "zip"), 598);
    const last = await reopen([probes]);
    const where = { kind: "text", field: "words", phrases: [["zip"]] } as const;
    assert.equal((await last.read((tx) => tx.collection(probes).find(where, { limit: 0 }))).total, 598);
  },
  async "changes the type of a column, also after a time without the column"({ storage, reopen }) {
    const records = [2, 10, 300].map((size) => probe(`p${size}`, { title: "x".repeat(size) }));
    await inserted(storage, ...records);
    const sized = (column: Column<Probe>) =>
      defineCollection<Probe>({ ...probes, columns: { ...probes.columns, size: column } });
    await reopen([sized({ type: "text", read: ({ title }) => `${title.length}` })]);
    await reopen([probes]);
    const later = sized({ type: "integer", read: ({ title }) => title.length });
    const next = await reopen([later]);
    const above = (value: number) =>
      next.read(async (tx) => {
        const where = { kind: "compare", field: "size", operator: "gt", value } as const;
        const { rows } = await tx.collection(later).find(where, { sortBy: "size", descending: true });
        return rows.map(({ id }) => id).join(" ");
      });
    assert.deepEqual([await above(1), await above(9)], ["p300 p10 p2", "p300 p10"]);
    await next.write((tx) => tx.collection(later).update("p2", (old) => ({ ...old, title: "x".repeat(40) })));
    assert.equal(await above(9), "p300 p2 p10");
  },
};
