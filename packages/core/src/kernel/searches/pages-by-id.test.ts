import { describe, expect, test } from "vitest";
import { memoryStorage } from "../../memory/memory-storage.ts";
import { defineCollection } from "../../ports/storage/collection.ts";
import { afterId } from "../../search/ast.ts";
import { pagesById, recordsById } from "./pages-by-id.ts";

const notes = defineCollection<{ id: string; kind: string }>({
  name: "notes",
  noun: "Note",
  terms: { kind: ({ kind }) => [kind] },
});
const odd = { kind: "term", field: "kind", words: ["odd"] } as const;

async function openWith(...ids: string[]) {
  const storage = memoryStorage();
  await storage.open([notes]);
  const records = ids.map((id) => ({ id, kind: Number(id.slice(1)) % 2 === 0 ? "even" : "odd" }));
  await storage.write((tx) => tx.collection(notes).insertMany(records));
  return storage;
}

async function idsOf(pages: AsyncIterable<readonly { id: string }[]>): Promise<string> {
  const told: string[] = [];
  for await (const page of pages) told.push(page.map(({ id }) => id).join(" "));
  return told.join(" | ");
}

describe("pages by id", () => {
  test.each([
    ["end with one that is not full", ["n1", "n2", "n3"], { size: 2 }, "n1 n2 | n3"],
    ["end with an empty one after a full one", ["n1", "n2"], { size: 2 }, "n1 n2 | "],
    ["are one empty page of nothing", [], { size: 2 }, ""],
    ["hold what matches", ["n1", "n2", "n3", "n4", "n5"], { size: 2, where: odd }, "n1 n3 | n5"],
    ["begin after an id", ["n1", "n2", "n3"], { size: 2, after: "n1" }, "n2 n3 | "],
  ])("%s", async (_name, ids, walk, pages) => {
    const storage = await openWith(...ids);
    expect(await idsOf(pagesById((work) => storage.read(work), notes, walk))).toBe(pages);
  });

  test("lose no record when others are removed meanwhile", async () => {
    const storage = await openWith("n1", "n2", "n3", "n4");
    const met: string[] = [];
    for await (const { id } of recordsById((work) => storage.read(work), notes, { size: 2 })) {
      await storage.write((tx) => tx.collection(notes).delete(id));
      met.push(id);
    }
    expect(met).toEqual(["n1", "n2", "n3", "n4"]);
    const { total } = await storage.read((tx) => tx.collection(notes).find(afterId("")));
    expect(total).toBe(0);
  });
});
