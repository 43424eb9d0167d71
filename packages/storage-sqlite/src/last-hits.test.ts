import { DatabaseSync, StatementSync } from "node:sqlite";
import { defineCollection, type Storage, type StoredRecord } from "@signalbox/core/storage";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { rounds } from "../../core/test/rounds.ts";
import { sqliteStorage } from "./index.ts";

interface Note extends StoredRecord {
  readonly kinds: readonly string[];
}
const notes = defineCollection<Note>({
  name: "notes",
  noun: "Note",
  terms: { kinds: ({ kinds }) => kinds },
  // The word index holds terms only in a collection that has a text field.
  text: { id: ({ id }) => [id] },
});

let database: DatabaseSync;
let storage: Storage;
beforeEach(async () => {
  database = new DatabaseSync(":memory:");
  storage = sqliteStorage({ database });
  await storage.open([notes]);
});
afterEach(() => database.close());

const insert = (all: readonly Note[]): Promise<void> =>
  storage.write(async (tx) => {
    for (const note of all) await tx.collection(notes).insert(note);
  });

const find = (kind: string, offset: number, limit: number): Promise<string[]> =>
  storage.read(async (tx) => {
    const where = { kind: "term", field: "kinds", words: [kind] } as const;
    const page = { sortBy: "id", descending: true, offset, limit };
    return (await tx.collection(notes).find(where, page)).rows.map(({ id }) => id);
  });

const idOf = (number: number): string => `n${String(number).padStart(4, "0")}`;
/** Two in three notes are of the kind that is searched for. */
const note = (number: number): Note => ({ id: idOf(number), kinds: number % 3 === 0 ? ["rare"] : ["often"] });
const byHand = (numbers: readonly number[]): string[] =>
  numbers
    .filter((number) => number % 3 !== 0)
    .map(idOf)
    .toSorted()
    .toReversed();

test("pages of frequent hits by falling ids are right, wherever records come late", async () => {
  const late = fc.uniqueArray(fc.integer({ min: 0, max: 199 }), { maxLength: 20 });
  const page = fc.record({ offset: fc.integer({ min: 0, max: 60 }), limit: fc.integer({ min: 1, max: 30 }) });
  await fc.assert(
    fc.asyncProperty(late, late, fc.array(page, { minLength: 1, maxLength: 4 }), async (lateOnes, gone, pages) => {
      database.exec("delete from sb_notes");
      const numbers = Array.from({ length: 200 }, (_, number) => number);
      const come = [...numbers.filter((number) => !lateOnes.includes(number)), ...lateOnes];
      await insert(come.map(note));
      for (const number of gone) await storage.write((tx) => tx.collection(notes).delete(idOf(number)));
      const expected = byHand(numbers.filter((number) => !gone.includes(number)));
      for (const { offset, limit } of pages)
        expect(await find("often", offset, limit)).toEqual(expected.slice(offset, offset + limit));
    }),
    { numRuns: rounds(25, 60) },
  );
});

test("a page of frequent hits reads no others", async () => {
  // Written in swapped pairs, so that numbers and ids differ a little.
  await insert(Array.from({ length: 300 }, (_, number) => note(number ^ 1)));
  const { prototype } = StatementSync;
  const { all } = prototype;
  const gathering: string[] = [];
  prototype.all = function (...values) {
    if (this.sourceSQL.includes("match") && !this.sourceSQL.includes("count(*)")) gathering.push(this.sourceSQL);
    return all.apply(this, values as never);
  };
  try {
    expect(await find("often", 0, 5)).toEqual(["n0299", "n0298", "n0296", "n0295", "n0293"]);
  } finally {
    prototype.all = all;
  }
  expect(gathering).toHaveLength(1);
  expect(gathering[0]).toContain("order by rowid desc limit");
});
