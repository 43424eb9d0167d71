import assert from "node:assert/strict";
import { DuplicateError, NotFoundError } from "../../../kernel/errors/errors.ts";
import type { StoredRecord } from "../../../ports/storage/collection.ts";
import {
  changeProbe,
  inserted,
  labels,
  listIds,
  others,
  type Probe,
  probe,
  probes,
  readProbe,
  type StorageCases,
} from "./storage-fixtures.ts";

const odd: Probe = {
  zeta: 1,
  id: "a",
  title: "naïve ☃ '\" \\ \u0000 \ud800 \udc00\ud800 😀",
  rank: -0.1,
  alpha: { "\u0000": [null, true, 1e-7, 1e21, ""], "": {} },
  // The brackets make it an own member, as `JSON.parse` does.
  ["__proto__"]: "own",
} as unknown as Probe;

export const collectionCases: StorageCases = {
  async "returns exactly what was inserted, including unknown members, NUL and lone surrogates"({ storage }) {
    await inserted(storage, odd);
    assert.equal(JSON.stringify(await readProbe(storage, "a")), JSON.stringify(odd));
    const { rows } = await storage.read((tx) => tx.collection(probes).find({ kind: "all" }));
    assert.equal(JSON.stringify(rows), JSON.stringify([odd]));
  },
  async "returns stored texts as rows, where a reader accepts texts"({ storage }) {
    await inserted(storage, odd, probe("b"));
    const page = { sortBy: "id", fromText: (json: string) => [json] };
    const { rows } = await storage.read((tx) => tx.collection(probes).find({ kind: "all" }, page));
    assert.deepEqual(rows as unknown, [[JSON.stringify(odd)], [JSON.stringify(probe("b"))]]);
  },
  async "gives every reader its own copy"({ storage }) {
    const record = probe("a", { extra: { list: [1] } });
    await inserted(storage, record);
    (record.extra as { list: number[] }).list.push(2);
    const first = (await readProbe(storage, "a"))?.extra as { list: number[] };
    first.list.push(3);
    assert.deepEqual((await readProbe(storage, "a"))?.extra, { list: [1] });
  },
  async "answers undefined for an unknown id"({ storage }) {
    assert.equal(await readProbe(storage, "a"), undefined);
    assert.equal(await readProbe(storage, "a\u0000"), undefined);
  },
  async "keeps length and order in getMany, including repeated and unknown ids"({ storage }) {
    await inserted(storage, probe("a"), probe("b"));
    const found = await storage.read((tx) => tx.collection(probes).getMany(["b", "x", "a", "b"]));
    assert.deepEqual(
      found.map((row) => row?.id),
      ["b", undefined, "a", "b"],
    );
    assert.deepEqual(await storage.read((tx) => tx.collection(probes).getMany([])), []);
  },
  async "inserts and deletes many at once, with their index entries"({ storage }) {
    const ids = Array.from({ length: 150 }, (_unused, index) => `p${index}`);
    const gone = ids.filter((_id, index) => index % 3 > 0);
    await storage.write(async (tx) => {
      await tx.collection(probes).insertMany(ids.map((id) => probe(id, { tags: ["all", id], rank: ids.indexOf(id) })));
      await tx.collection(probes).insertMany([]);
    });
    await storage.write((tx) => tx.collection(probes).deleteMany([...gone, "x", "p1", "a\u0000"]));
    const left = ids.filter((id) => !gone.includes(id));
    assert.equal(await storage.read(listIds), left.join(" "));
    const withTag = (tag: string) =>
      storage.read((tx) => tx.collection(probes).find({ kind: "term", field: "tags", words: [tag] }));
    assert.equal((await withTag("all")).total, left.length);
    assert.deepEqual([(await withTag("p1")).total, (await withTag("p3")).total], [0, 1]);
    const [last] = (
      await storage.read((tx) => tx.collection(probes).find({ kind: "all" }, { sortBy: "rank", descending: true }))
    ).rows;
    assert.equal(last?.id, left.at(-1));
  },
  async "keeps the words of many records that are inserted and deleted at once"({ storage }) {
    const ids = Array.from({ length: 90 }, (_unused, index) => `l${index}`);
    const total = (word: string) =>
      storage.read(async (tx) => {
        const { rows } = await tx.collection(labels).find({ kind: "term", field: "words", words: [word] });
        return rows.length;
      });
    await storage.write((tx) =>
      tx.collection(labels).insertMany(ids.map((id, rank) => ({ id, rank, words: ["all", id, `m${rank % 3}`] }))),
    );
    assert.deepEqual([await total("all"), await total("l7"), await total("m1")], [90, 1, 30]);
    await storage.write(async (tx) => {
      await tx.collection(labels).insert({ id: "one", rank: 1, words: ["all", "m1"] });
      await tx.collection(labels).deleteMany(ids.slice(0, 70));
    });
    assert.deepEqual([await total("all"), await total("l7"), await total("l70"), await total("m1")], [21, 0, 1, 8]);
    const taken = storage.write((tx) => tx.collection(labels).insert({ id: "one", rank: 2, words: ["other"] }));
    await assert.rejects(taken, DuplicateError);
    assert.deepEqual([await total("other"), await total("m1")], [0, 8]);
  },
  async "refuses many records as a whole if one of them exists already"({ storage }) {
    await inserted(storage, probe("b"));
    await assert.rejects(
      storage.write((tx) => tx.collection(probes).insertMany([probe("a"), probe("b"), probe("c")])),
      DuplicateError,
    );
    await assert.rejects(
      storage.write((tx) => tx.collection(probes).insertMany([probe("a"), probe("c\u0000")])),
      TypeError,
    );
    assert.equal(await storage.read(listIds), "b");
  },
  async "changes a record read in the same transaction, and changes it again"({ storage }) {
    await inserted(storage, probe("a", { rank: 1 }));
    await storage.write(async (tx) => {
      const all = tx.collection(probes);
      // Changes that a caller makes to its copy must not change the stored record.
      Object.assign((await all.get("a")) ?? {}, { rank: 50 });
      await all.update("a", (current) => ({ ...current, rank: (current.rank ?? 0) + 1 }));
      await all.update("a", (current) => ({ ...current, rank: (current.rank ?? 0) * 10 }));
    });
    assert.equal((await readProbe(storage, "a"))?.rank, 20);
  },
  async "getMany accepts thousands of ids"({ storage }) {
    const ids = Array.from({ length: 3000 }, (_unused, index) => `p${index}`);
    await inserted(storage, ...ids.slice(0, 1500).map((id) => probe(id)));
    const found = await storage.read((tx) => tx.collection(probes).getMany(ids));
    assert.deepEqual(
      found.map((row) => row?.id),
      ids.map((id, index) => (index < 1500 ? id : undefined)),
    );
  },
  async "overwrites texts, known and unknown ids, more than fit one statement"({ storage }) {
    const ids = Array.from({ length: 40 }, (_unused, index) => `o${index}`);
    await storage.write(async (tx) => {
      await tx.collection(others).insert({ id: "o3", old: true } as StoredRecord);
      await tx.overwrite(
        others,
        ids.map((id, index) => ({ id, json: JSON.stringify({ id, index }) })),
      );
      await tx.overwrite(others, [{ id: "o5", json: '{"id":"o5","index":"again"}' }]);
      await tx.overwrite(others, []);
      assert.deepEqual(await tx.collection(others).get("o3"), { id: "o3", index: 3 });
    });
    const found = await storage.read((tx) => tx.collection(others).getMany(["o0", "o5", "o39"]));
    assert.deepEqual(found, [
      { id: "o0", index: 0 },
      { id: "o5", index: "again" },
      { id: "o39", index: 39 },
    ]);
    assert.equal((await storage.read((tx) => tx.collection(others).list())).length, 40);
  },
  async "rolls overwritten texts back with the transaction, and refuses collections that index their records"({
    storage,
  }) {
    const aborted = storage.write(async (tx) => {
      await tx.overwrite(others, [{ id: "a", json: '{"id":"a"}' }]);
      throw new Error("no");
    });
    await assert.rejects(aborted, /no/);
    assert.equal(await storage.read((tx) => tx.collection(others).get("a")), undefined);
    const wrong = storage.write((tx) => tx.overwrite(probes, [{ id: "a", json: '{"id":"a"}' }]));
    await assert.rejects(wrong, TypeError);
    const unstorable = storage.write((tx) => tx.overwrite(others, [{ id: "a\u0000", json: "{}" }]));
    await assert.rejects(unstorable, TypeError);
  },
  async "lists in the order of insertion; updates keep the place, and a record inserted again is last"({ storage }) {
    await inserted(storage, probe("c"), probe("a"), probe("b"));
    await changeProbe(storage, "c", (current) => ({ ...current, rank: 9 }));
    await storage.write(async (tx) => {
      await tx.collection(probes).delete("a");
      await tx.collection(probes).insert(probe("a"));
      assert.equal(await listIds(tx), "c b a");
    });
    assert.equal(await storage.read(listIds), "c b a");
  },
  async "refuses a second record with the same id and leaves the first one unchanged"({ storage }) {
    await inserted(storage, probe("a", { tags: ["one"] }));
    await assert.rejects(inserted(storage, probe("a", { title: "Other", tags: ["two"] })), DuplicateError);
    assert.equal((await readProbe(storage, "a"))?.title, "Title a");
    const found = await storage.read((tx) =>
      tx.collection(probes).find({ kind: "term", field: "tags", words: ["two"] }),
    );
    assert.equal(found.total, 0);
  },
  async "stays usable after a refused duplicate"({ storage }) {
    await inserted(storage, probe("a"));
    await storage.write(async (tx) => {
      await assert.rejects(tx.collection(probes).insert(probe("a")), DuplicateError);
      await tx.collection(probes).insert(probe("b"));
    });
    assert.equal(await storage.read(listIds), "a b");
  },
  async "refuses a second record with the same unique value, except null"({ storage }) {
    await inserted(storage, probe("a", { code: "x" }), probe("b"), probe("c"));
    await assert.rejects(inserted(storage, probe("d", { code: "x" })), DuplicateError);
    assert.equal(await storage.read(listIds), "a b c");
  },
  async "refuses an update to a unique value that is taken, and stays usable"({ storage }) {
    await inserted(storage, probe("a", { code: "x" }), probe("b", { code: "y", tags: ["t"] }));
    await storage.write(async (tx) => {
      const all = tx.collection(probes);
      const clash = all.update("b", (current) => ({ ...current, code: "x", tags: [] }));
      await assert.rejects(clash, DuplicateError);
      await all.update("b", (current) => ({ ...current, rank: 7 }));
    });
    const found = await readProbe(storage, "b");
    assert.deepEqual([found?.code, found?.rank, found?.tags], ["y", 7, ["t"]]);
  },
  async "frees a unique value with the record or the change that held it"({ storage }) {
    await inserted(storage, probe("a", { code: "x" }), probe("b", { code: "y" }));
    await storage.write(async (tx) => {
      await tx.collection(probes).delete("a");
      await tx.collection(probes).update("b", (current) => ({ ...current, code: "x" }));
      await tx.collection(probes).insert(probe("c", { code: "y" }));
    });
    assert.equal(await storage.read(listIds), "b c");
  },
  async "returns the changed record from update, and writes it"({ storage }) {
    await inserted(storage, probe("a", { tags: ["old", "both"] }));
    const changed = await changeProbe(storage, "a", (current) => ({ ...current, title: "New", tags: ["both", "new"] }));
    assert.equal(changed.title, "New");
    assert.equal(JSON.stringify(await readProbe(storage, "a")), JSON.stringify(changed));
    const byTag = (word: string) =>
      storage.read(
        async (tx) => (await tx.collection(probes).find({ kind: "term", field: "tags", words: [word] })).rows.length,
      );
    assert.deepEqual([await byTag("old"), await byTag("both"), await byTag("new")], [0, 1, 1]);
  },
  async "indexes dozens of words of one record"({ storage }) {
    const words = (from: number): string[] => Array.from({ length: 40 }, (_unused, index) => `w${from + index}`);
    await inserted(storage, probe("a", { tags: words(0) }));
    await changeProbe(storage, "a", (current) => ({ ...current, tags: words(20) }));
    const found = (word: string) =>
      storage.read(async (tx) => {
        const where = { kind: "term", field: "tags", words: [word] } as const;
        return (await tx.collection(probes).find(where, { limit: 0 })).total;
      });
    for (let n = 0; n < 60; n += 3) assert.equal(await found(`w${n}`), n < 20 ? 0 : 1);
    await storage.write((tx) => tx.collection(probes).delete("a"));
    assert.equal(await found("w59"), 0);
  },
  async "sees its own changes in one transaction, including several updates of one record"({ storage }) {
    await storage.write(async (tx) => {
      const all = tx.collection(probes);
      await all.insert(probe("a", { rank: 1 }));
      for (let n = 0; n < 3; n++) await all.update("a", (current) => ({ ...current, rank: (current.rank ?? 0) + 1 }));
      assert.equal((await all.get("a"))?.rank, 4);
      assert.equal((await all.find({ kind: "compare", field: "rank", operator: "eq", value: 4 })).total, 1);
    });
    assert.equal((await readProbe(storage, "a"))?.rank, 4);
  },
  async "refuses to update an unknown id"({ storage }) {
    await assert.rejects(
      changeProbe(storage, "a", (current) => current),
      (error) => error instanceof NotFoundError && error.description === "Item not found",
    );
  },
  async "refuses an update that changes the id, and an id that cannot be stored"({ storage }) {
    await inserted(storage, probe("a"));
    await assert.rejects(
      changeProbe(storage, "a", (current) => ({ ...current, id: "b" })),
      TypeError,
    );
    for (const id of ["\u0000", "\ud800", "x".repeat(201)])
      await assert.rejects(inserted(storage, probe(id)), TypeError);
    assert.equal(await storage.read(listIds), "a");
  },
  async "deletes a record with its index entries, and says whether it existed"({ storage }) {
    await inserted(storage, probe("a", { tags: ["t"], code: "x" }));
    await storage.write(async (tx) => {
      assert.equal(await tx.collection(probes).delete("a"), true);
      assert.equal(await tx.collection(probes).delete("a"), false);
    });
    await inserted(storage, probe("a", { code: "x" }));
    const found = await storage.read((tx) => tx.collection(probes).find({ kind: "term", field: "tags", words: ["t"] }));
    assert.equal(found.total, 0);
  },
  async "keeps collections separate"({ storage }) {
    await storage.write((tx) => tx.collection(others).insert({ id: "a" }));
    assert.equal(await readProbe(storage, "a"), undefined);
  },
  async "refuses a collection that it was not opened with"({ storage }) {
    const stranger = { name: "conformance_unknown", noun: "Unknown" };
    await assert.rejects(storage.read(async (tx) => tx.collection(stranger).list()));
  },
};
