import { expect, test } from "vitest";
import { memoryStorage } from "../../memory/memory-storage.ts";
import { defineCollection } from "../../ports/storage/collection.ts";
import type { ReadAtOnce } from "../../ports/storage/storage.ts";
import { noReply } from "../calls/context.ts";
import type { Config } from "../config/config.ts";
import { readOne, readText } from "./read-once.ts";

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
const answering = (records: readonly unknown[] | undefined): ReadAtOnce =>
  Object.assign(() => records as never, { text: () => records && JSON.stringify(records[0]) });

test("an answer that the storage has at once is no promise", async () => {
  const storage = await setUp();
  await storage.read(async (tx) => {
    const known = { tx, readAtOnce: answering([{ id: "a", n: 2 }]) };
    expect(readOne(known, notes, "a")).toEqual({ id: "a", n: 2 });
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
  });
});

test.each([
  ["that accepts texts", true, false, [stored], '{"id":"a","n":1}'],
  ["that accepts texts, but not of an unknown record", true, false, [], undefined],
  ["that accepts texts, but not when the storage has no answer at once", true, false, undefined, undefined],
  ["that accepts texts, but not for one that accepts objects", false, false, [stored], undefined],
  ["that accepts texts, but not where answers are checked", true, true, [stored], undefined],
])("a text is read for a caller %s", (_who, takesTexts, debug, records, text) => {
  const about = { reply: { ...noReply, takesTexts }, config: { debug } as Config, readAtOnce: answering(records) };
  expect(readText(about, notes, "a")?.text).toBe(text);
});
