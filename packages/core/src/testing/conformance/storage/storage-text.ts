import assert from "node:assert/strict";
import type { Storage } from "../../../ports/storage/storage.ts";
import type { SearchNode } from "../../../search/ast.ts";
import { ENTRY_BREAK } from "../../../search/text/analyse.ts";
import { changeProbe, inserted, type Probe, probe, probes, type StorageCases } from "./storage-fixtures.ts";

const text = (...phrases: string[]): SearchNode => ({
  kind: "text",
  field: "words",
  phrases: phrases.map((phrase) => phrase.split(" ").filter(Boolean)),
});
const not = (node: SearchNode): SearchNode => ({ kind: "not", node });
const all = (...nodes: SearchNode[]): SearchNode => ({ kind: "and", nodes });

const said = (id: string, words: string): Probe => probe(id, { words: words.split(" ") });

const find = (storage: Storage, where: SearchNode): Promise<string> =>
  storage.read(async (tx) => {
    const { rows } = await tx.collection(probes).find(where, { sortBy: "id" });
    return rows.map(({ id }) => id).join(" ");
  });

const sample = [said("a", "zip target rule"), said("b", "target of zip"), said("c", "rule zip zip"), probe("d")];
const odd = ["é", "日", "\u{10428}", "ſ", "ß", "x_y", "_", "and", "or", "not", "near", "the", "0", "𝟘", "ﬃ", "ա", "ꙁ"];

export const textCases: StorageCases = {
  async "finds a word at any place, and nothing by a part of it"({ storage }) {
    await inserted(storage, ...sample);
    assert.equal(await find(storage, text("zip")), "a b c");
    assert.equal(await find(storage, text("zi")), "");
    assert.equal(await find(storage, text("Zip")), "");
    assert.equal(await find(storage, all(text("rule"), text("target"))), "a");
  },
  async "finds phrases by neighbourhood and order"({ storage }) {
    await inserted(storage, ...sample);
    assert.equal(await find(storage, text("zip target")), "a");
    assert.equal(await find(storage, text("target zip")), "");
    assert.equal(await find(storage, text("zip zip")), "c");
    assert.equal(await find(storage, text("zip target rule of")), "");
  },
  async "finds at least one of the alternatives"({ storage }) {
    await inserted(storage, ...sample);
    assert.equal(await find(storage, text("zip target", "of")), "a b");
    assert.equal(await find(storage, text()), "");
    assert.equal(await find(storage, text("", "of")), "b");
  },
  async "negates exactly: records without any word are found"({ storage }) {
    await inserted(storage, ...sample);
    assert.equal(await find(storage, not(text("rule"))), "b d");
    assert.equal(await find(storage, not(text())), "a b c d");
    assert.equal(await find(storage, all(text("zip"), not(text("zip target", "of")))), "c");
    assert.equal(await find(storage, { kind: "or", nodes: [text("of"), not(text("zip"))] }), "b d");
  },
  async "follows every change, in the transaction that makes it"({ storage }) {
    await inserted(storage, ...sample);
    await changeProbe(storage, "a", (old) => ({ ...old, words: ["new", "target"] }));
    await changeProbe(storage, "b", (old) => ({ ...old, rank: 7 }));
    assert.equal(await find(storage, text("zip")), "b c");
    await storage.write(async (tx) => {
      const open = tx.collection(probes);
      await open.delete("c");
      await open.update("d", (old) => ({ ...old, words: ["zip"] }));
      assert.equal((await open.find(text("zip"))).total, 2);
    });
    assert.equal(await find(storage, text("zip")), "b d");
    assert.equal(await find(storage, text("target")), "a b");
  },
  async "keeps nothing of a transaction that failed"({ storage }) {
    await inserted(storage, ...sample);
    const failed = storage.write(async (tx) => {
      await tx.collection(probes).insert(said("e", "zip"));
      await tx.collection(probes).update("a", (old) => ({ ...old, words: ["lost"] }));
      await tx.collection(probes).delete("b");
      throw new Error("stop");
    });
    await assert.rejects(failed, /stop/);
    assert.equal(await find(storage, text("zip")), "a b c");
    assert.equal(await find(storage, text("lost")), "");
  },
  async "compares words of all scripts unchanged, and adds no stop words"({ storage }) {
    await inserted(storage, ...odd.map((word, index) => said(String.fromCharCode(97 + index), `x ${word} y`)));
    for (const [index, word] of odd.entries())
      assert.equal(await find(storage, text(`x ${word} y`)), String.fromCharCode(97 + index), word);
    assert.equal(await find(storage, text("é", "日")), "a b");
    assert.equal(await find(storage, text("e")), "");
  },
  async "finds no phrase across a break, and nothing that is no word"({ storage }) {
    await inserted(storage, said("a", `one ${ENTRY_BREAK} two`), probe("b", { words: ["one", "o'ne & | !", "two"] }));
    assert.equal(await find(storage, text("one two")), "");
    assert.equal(await find(storage, text("one")), "a b");
    assert.equal(
      await find(storage, { kind: "text", field: "words", phrases: [["one"], ["two' | 'x"], ['"']] }),
      "a b",
    );
    assert.equal(await find(storage, text(ENTRY_BREAK)), "");
  },
  async "bounds the indexed part of a text like other storages"({ storage }) {
    const often = Array.from({ length: 300 }, () => ["again", "b"]).flat();
    const many = Array.from({ length: 12_000 }, (_unused, index) => `w${index}`);
    const wide = Array.from({ length: 4000 }, (_unused, index) => `${"東".repeat(50)}${index}`);
    await inserted(storage, probe("a", { words: [...often, "end"] }), probe("b", { words: many }));
    await inserted(storage, probe("c", { words: wide }));
    assert.equal(await find(storage, text("b again b")), "a");
    assert.equal(await find(storage, text("b end")), "");
    assert.equal(await find(storage, text("end")), "a");
    assert.equal(await find(storage, text("w9999")), "b");
    assert.equal(await find(storage, text("w10000")), "");
    assert.equal(await find(storage, text(`${"東".repeat(50)}100`)), "c");
  },
  async "answers long queries"({ storage }) {
    const words = Array.from({ length: 1000 }, (_unused, index) => `w${index}`);
    await inserted(storage, probe("a", { words }), said("b", "w7"));
    assert.equal(await find(storage, text(...words)), "a b");
    assert.equal(await find(storage, text(words.slice(0, 250).join(" "))), "a");
    assert.equal(await find(storage, all(...words.slice(0, 250).map((word) => text(word)))), "a");
    assert.equal(await find(storage, all(...words.slice(0, 50).map((word) => text(word, "x", "w7")))), "a b");
    assert.equal(await find(storage, all(text("w7"), not(all(...words.slice(8, 250).map((word) => text(word)))))), "b");
  },
  async "refuses a field that is not declared"({ storage }) {
    await assert.rejects(find(storage, { kind: "text", field: "nope", phrases: [["x"]] }), TypeError);
    await assert.rejects(find(storage, { kind: "text", field: "constructor", phrases: [["x"]] }), TypeError);
  },
};
