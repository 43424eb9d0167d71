import { expect, test } from "vitest";
import { memoryStorage } from "../../memory/memory-storage.ts";
import { defineCollection } from "../../ports/storage/collection.ts";
import type { ReadTx } from "../../ports/storage/storage.ts";
import { everything } from "../../search/ast.ts";
import { rememberedReads } from "./remembered-reads.ts";

const notes = defineCollection<{ id: string }>({ name: "notes", noun: "Note" });

/** A snapshot with notes 0 to 2999, and the ids and searches that were asked of it. */
async function withNotes(work: (tx: ReadTx, asked: string[]) => Promise<void>): Promise<void> {
  const storage = memoryStorage();
  await storage.open([notes]);
  const all = Array.from({ length: 3000 }, (_each, at) => ({ id: String(at) }));
  await storage.write((tx) => tx.collection(notes).insertMany(all));
  const asked: string[] = [];
  await storage.read((tx) => {
    const inner = tx.collection(notes);
    const collection = () => ({
      ...inner,
      getMany: (ids: readonly string[]) => {
        asked.push(...ids);
        return inner.getMany(ids);
      },
      find: (...about: Parameters<typeof inner.find>) => {
        asked.push("search");
        return inner.find(...about);
      },
    });
    return work(rememberedReads({ ...tx, collection: collection as never }), asked);
  });
}

test("each record and each search is read once", () =>
  withNotes(async ({ collection }, asked) => {
    expect(await collection(notes).getMany(["1", "gone", "2", "1"])).toEqual([
      { id: "1" },
      undefined,
      { id: "2" },
      { id: "1" },
    ]);
    expect(await collection(notes).get("2")).toEqual({ id: "2" });
    expect(await collection(notes).get("gone")).toBeUndefined();
    for (let count = 0; count < 2; count++)
      expect((await collection(notes).find(everything, { limit: 1, sortBy: "id" })).rows).toHaveLength(1);
    expect(asked).toEqual(["1", "gone", "2", "search"]);
  }));

test("the cache of reads has a bound, and concurrent calls do not take its room from each other", () =>
  withNotes(async ({ collection }, asked) => {
    const ids = Array.from({ length: 2500 }, (_each, at) => String(at));
    await collection(notes).getMany(ids);
    const answers = await Promise.all([
      collection(notes).getMany(["1", "2999"]),
      collection(notes).getMany(["2", "1"]),
    ]);
    expect(answers.map((found) => found.map((note) => note?.id))).toEqual([
      ["1", "2999"],
      ["2", "1"],
    ]);
    expect(asked.length).toBeGreaterThan(2500);
  }));
