import { expect, test } from "vitest";
import { memoryStorage } from "../memory/memory-storage.ts";
import { defineCollection } from "../ports/collection.ts";
import type { ReadAtOnce } from "../ports/storage.ts";
import { readAll, readOne } from "./read-once.ts";

interface Note {
  id: string;
  n: number;
}
const notes = defineCollection<Note>({ name: "notes", noun: "Note" });
const stored: Note = { id: "a", n: 1 };

async function setUp() {
  const storage = memoryStorage();
  await storage.open([notes]);
  await storage.write((tx) => tx.collection(notes).insert(stored));
  return storage;
}
const answering = (records: readonly unknown[] | undefined) => (() => records) as ReadAtOnce;

test("an answer that the storage has at once is no promise", async () => {
  const storage = await setUp();
  await storage.read(async (tx) => {
    const known = { tx, readAtOnce: answering([{ id: "a", n: 2 }]) };
    expect(readOne(known, notes, "a")).toEqual({ id: "a", n: 2 });
    expect(readAll(known, notes)).toEqual([{ id: "a", n: 2 }]);
    expect(readOne({ tx, readAtOnce: answering([]) }, notes, "a")).toBeUndefined();
  });
});

test.each([
  ["never does", undefined],
  ["cannot now", answering(undefined)],
])("the transaction answers where the storage %s", async (_when, readAtOnce) => {
  const storage = await setUp();
  await storage.read(async (tx) => {
    expect(await readOne({ tx, readAtOnce }, notes, "a")).toEqual(stored);
    expect(await readOne({ tx, readAtOnce }, notes, "b")).toBeUndefined();
    expect(await readAll({ tx, readAtOnce }, notes)).toEqual([stored]);
  });
});
