import assert from "node:assert/strict";
import type { Page } from "../../../ports/storage/collection.ts";
import type { Storage } from "../../../ports/storage/storage.ts";
import { equal, everything, nothing, type SearchNode } from "../../../search/ast.ts";
import { inserted, oddTexts, probe, probes, type StorageCases } from "../storage/storage-fixtures.ts";

const find = (storage: Storage, where: SearchNode, page?: Page): Promise<string> =>
  storage.read(async (tx) => {
    const { rows, total } = await tx.collection(probes).find(where, page);
    return `${rows.map(({ id }) => id).join(" ")} (${total})`;
  });

const term = (...words: string[]): SearchNode => ({ kind: "term", field: "tags", words });
const compare = (operator: "lt" | "lte" | "gt" | "gte", value: number, field = "rank"): SearchNode => ({
  kind: "compare",
  field,
  operator,
  value,
});
const not = (node: SearchNode): SearchNode => ({ kind: "not", node });

const sample = [
  probe("a", { rank: 2, tags: ["red", "blue"] }),
  probe("b", { rank: null, tags: ["red"] }),
  probe("c", { rank: 10, code: "x" }),
  probe("d", { rank: 2, tags: ["green", "green"] }),
];

export const searchCases: StorageCases = {
  async "finds everything, nothing, and the result of the empty conjunction and disjunction"({ storage }) {
    await inserted(storage, ...sample);
    assert.equal(await find(storage, everything), "a b c d (4)");
    assert.equal(await find(storage, nothing), " (0)");
    assert.equal(await find(storage, { kind: "and", nodes: [] }), "a b c d (4)");
    assert.equal(await find(storage, { kind: "or", nodes: [] }), " (0)");
  },
  async "finds records that carry at least one of the words"({ storage }) {
    await inserted(storage, ...sample);
    assert.equal(await find(storage, term("red")), "a b (2)");
    assert.equal(await find(storage, term("blue", "green")), "a d (2)");
    assert.equal(await find(storage, term("red", "blue")), "a b (2)");
    assert.equal(await find(storage, term()), " (0)");
    assert.equal(await find(storage, term("Red")), " (0)");
  },
  async "compares columns and the id"({ storage }) {
    await inserted(storage, ...sample);
    assert.equal(await find(storage, equal("rank", 2)), "a d (2)");
    assert.equal(await find(storage, compare("lt", 10)), "a d (2)");
    assert.equal(await find(storage, compare("lte", 10)), "a c d (3)");
    assert.equal(await find(storage, compare("gt", 2)), "c (1)");
    assert.equal(await find(storage, compare("gte", 2)), "a c d (3)");
    assert.equal(await find(storage, equal("id", "b")), "b (1)");
    assert.equal(await find(storage, { kind: "compare", field: "id", operator: "gt", value: "b" }), "c d (2)");
  },
  async "treats null as a value of its own that only equality finds"({ storage }) {
    await inserted(storage, ...sample);
    assert.equal(await find(storage, equal("rank", null)), "b (1)");
    assert.equal(await find(storage, { kind: "compare", field: "rank", operator: "lte", value: null }), " (0)");
    assert.equal(await find(storage, not(equal("rank", null))), "a c d (3)");
  },
  async "negates exactly: it finds records that do not match, including null"({ storage }) {
    await inserted(storage, ...sample);
    assert.equal(await find(storage, not(compare("lt", 10))), "b c (2)");
    assert.equal(await find(storage, not(term("red"))), "c d (2)");
    assert.equal(await find(storage, not(not(equal("code", "x")))), "c (1)");
    assert.equal(await find(storage, not({ kind: "and", nodes: [equal("code", "x"), term("red")] })), "a b c d (4)");
  },
  async "never matches a value of another type"({ storage }) {
    await inserted(storage, ...sample, probe("e", { rank: "2" as unknown as number }));
    assert.equal(await find(storage, equal("rank", "2")), " (0)");
    assert.equal(await find(storage, equal("title", 2)), " (0)");
    assert.equal(await find(storage, equal("rank", null)), "b e (2)");
  },
  async "combines conditions"({ storage }) {
    await inserted(storage, ...sample);
    assert.equal(await find(storage, { kind: "and", nodes: [term("red"), compare("gt", 1)] }), "a (1)");
    assert.equal(await find(storage, { kind: "or", nodes: [term("blue"), equal("code", "x")] }), "a c (2)");
  },
  async "sorts null first, numbers by value, ties by id in the same direction"({ storage }) {
    await inserted(storage, ...sample.toReversed());
    assert.equal(await find(storage, everything, { sortBy: "rank" }), "b a d c (4)");
    assert.equal(await find(storage, everything, { sortBy: "rank", descending: true }), "c d a b (4)");
    assert.equal(await find(storage, everything, { sortBy: "id", descending: true }), "d c b a (4)");
    assert.equal(await find(storage, everything), "d c b a (4)");
    assert.equal(await find(storage, everything, { descending: true }), "a b c d (4)");
  },
  async "sorts and compares text by UTF-8 bytes"({ storage }) {
    await inserted(storage, ...oddTexts.map((title, index) => probe(`t${index}`, { title })).toReversed());
    assert.equal(await find(storage, everything, { sortBy: "title" }), "t0 t1 t2 t3 t4 t5 t6 (7)");
    const above = { kind: "compare", field: "title", operator: "gt", value: "ﬃ" } as const;
    assert.equal(await find(storage, above), "t6 (1)");
  },
  async "pages, counting all matches"({ storage }) {
    await inserted(storage, ...sample);
    assert.equal(await find(storage, everything, { offset: 1, limit: 2 }), "b c (4)");
    assert.equal(await find(storage, everything, { offset: 3 }), "d (4)");
    assert.equal(await find(storage, everything, { offset: 9, limit: 1 }), " (4)");
    assert.equal(await find(storage, term("red"), { limit: 0 }), " (2)");
    assert.equal(await find(storage, term("red"), { limit: -1, offset: -1 }), " (2)");
    assert.equal(await find(storage, everything, { sortBy: "rank", offset: 1, limit: 1 }), "a (4)");
  },
  async "accepts texts with NUL, lone surrogates and great length in its indexes"({ storage }) {
    const long = "ü".repeat(5000);
    await inserted(
      storage,
      probe("a", { title: "x\u0000y\ud800", tags: ["t\u0000"] }),
      probe("b", { title: long, tags: [long] }),
    );
    assert.equal(await find(storage, equal("title", "xy")), "a (1)");
    assert.equal(await find(storage, equal("title", "x\u0000y")), "a (1)");
    assert.equal(await find(storage, term("t")), "a (1)");
    assert.equal(await find(storage, equal("title", long)), "b (1)");
    assert.equal(await find(storage, term(long)), "b (1)");
  },
  async "refuses a field that is not declared"({ storage }) {
    await assert.rejects(find(storage, equal("nope", 1)), TypeError);
    await assert.rejects(find(storage, { kind: "term", field: "nope", words: ["x"] }), TypeError);
    await assert.rejects(find(storage, everything, { sortBy: "nope" }), TypeError);
    await assert.rejects(find(storage, equal("constructor", 1)), TypeError);
  },
};
