import { expect, test } from "vitest";
import { memoryStorage } from "../../memory/memory-storage.ts";
import { defineCollection } from "../../ports/storage/collection.ts";
import { everything } from "../../search/ast.ts";
import { deleteFound } from "../searches/delete-found.ts";
import { putRecord, updateIfThere } from "./update-if-there.ts";

interface Note {
  id: string;
  n: number;
}
const notes = defineCollection<Note>({ name: "notes", noun: "Note" });

async function changing(id: string, change: (stored: Note) => Note) {
  const storage = memoryStorage();
  await storage.open([notes]);
  await storage.write((tx) => tx.collection(notes).insert({ id: "a", n: 1 }));
  return storage.write((tx) => updateIfThere(tx.collection(notes), id, change));
}

test("an existing record is changed, and returned with its present members", async () => {
  expect(await changing("a", (stored) => ({ ...stored, n: stored.n + 1 }))).toEqual({ id: "a", n: 2 });
});

test("a deleted record is not created again", async () => {
  const change = () => expect.unreachable("there is nothing to change");
  expect(await changing("b", change)).toBeUndefined();
});

test("an error of the change is thrown", async () => {
  const change = () => {
    throw new TypeError("no such state");
  };
  await expect(changing("a", change)).rejects.toThrow("no such state");
});

async function storing(...records: readonly Note[]) {
  const storage = memoryStorage();
  await storage.open([notes]);
  for (const record of records) await storage.write((tx) => putRecord(tx.collection(notes), record));
  return { storage, all: () => storage.read((tx) => tx.collection(notes).list()) };
}

test("a record that is put replaces the one with its id", async () => {
  const { all } = await storing({ id: "a", n: 1 }, { id: "b", n: 2 }, { id: "a", n: 3 });
  expect(await all()).toEqual([
    { id: "a", n: 3 },
    { id: "b", n: 2 },
  ]);
});

test("the records that a page of a search finds are deleted and counted", async () => {
  const { all, storage } = await storing({ id: "a", n: 1 }, { id: "b", n: 2 }, { id: "c", n: 3 });
  const page = { sortBy: "id", limit: 2 };
  expect(await storage.write((tx) => deleteFound(tx.collection(notes), everything, page))).toBe(2);
  expect(await all()).toEqual([{ id: "c", n: 3 }]);
});
