import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { analyseText, defineCollection, ENTRY_BREAK, type Storage, type StoredRecord } from "@signalbox/core/storage";
import fc from "fast-check";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { rounds } from "../../core/test/rounds.ts";
import { sqliteStorage } from "./index.ts";

interface Page extends StoredRecord {
  readonly title: string;
  readonly body: string;
}
const pages = defineCollection<Page>({
  name: "pages",
  noun: "Page",
  columns: { title: { type: "text", read: ({ title }) => title } },
  text: { title: ({ title }) => analyseText(title), body: ({ body }) => [...analyseText(body), ENTRY_BREAK, "end"] },
});
const withoutText = { ...pages, text: {} };

const folder = mkdtempSync(join(tmpdir(), "signalbox-text-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let database: DatabaseSync;
beforeEach(() => {
  database = new DatabaseSync(":memory:");
});
afterEach(() => database.close());

async function openWith(definition: typeof pages) {
  const storage = sqliteStorage({ database });
  await storage.open([definition]);
  return storage;
}
/** SQLite compares its index with the columns, word by word. */
const checkIndex = (): void =>
  database.exec("insert into sb_pages_text (sb_pages_text, rank) values ('integrity-check', 1)");

const count = (storage: Storage, field: string, ...phrase: string[]): Promise<number> =>
  storage.read(async (tx) => {
    const where = { kind: "text", field, phrases: [phrase] } as const;
    return (await tx.collection(pages).find(where, { limit: 0 })).total;
  });

test("the index equals the columns after any history of changes, some of them rolled back", async () => {
  const word = fc.constantFrom("lamp", "café", "東京", "2.5.1", "_", "é", "zip");
  const text = fc.array(word, { maxLength: 5 }).map((words) => words.join(" "));
  const step = fc.record({
    id: fc.constantFrom("a", "b", "c"),
    title: text,
    body: text,
    act: fc.constantFrom("put", "put", "delete"),
    fails: fc.boolean(),
  });
  const storage = await openWith(pages);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      for (const { id, title, body, act, fails } of steps)
        await storage
          .write(async (tx) => {
            const all = tx.collection(pages);
            if (act === "delete") await all.delete(id);
            else if (await all.get(id)) await all.update(id, () => ({ id, title, body }));
            else await all.insert({ id, title, body });
            if (fails) throw new Error("stop");
          })
          .catch((error: Error) => expect(error.message).toBe("stop"));
      checkIndex();
      expect(await storage.verifyIndexes()).toEqual([]);
    }),
    { numRuns: rounds(20, 50) },
  );
});

test("an index that differs from its records is detected", async () => {
  const storage = await openWith(pages);
  await storage.write((tx) => tx.collection(pages).insert({ id: "a", title: "Lamps", body: "rebooting" }));
  expect(await storage.verifyIndexes()).toEqual([]);
  database.exec("update sb_pages set t_title = 'other'");
  expect(await storage.verifyIndexes()).toEqual([
    { collection: "pages", id: "a", index: "t_title", stored: "other", expected: "lamp" },
  ]);
});

test("an update that does not change the words does not write the index", async () => {
  const storage = await openWith(pages);
  await storage.write((tx) => tx.collection(pages).insert({ id: "a", title: "Lamps", body: "x" }));
  const changes = (): unknown => database.prepare("select total_changes() as n").get()?.["n"];
  const before = Number(changes());
  await storage.write((tx) => tx.collection(pages).update("a", (old) => ({ ...old, title: "lamp", body: "X" })));
  expect(Number(changes()) - before).toBe(1);
});

test("texts that are no longer declared, and declared again, are indexed from the records", async () => {
  const first = await openWith(pages);
  await first.write((tx) => tx.collection(pages).insert({ id: "a", title: "Lamps", body: "first" }));
  await first.close();
  const second = await openWith(withoutText);
  await second.write((tx) => tx.collection(withoutText).update("a", (old) => ({ ...old, title: "Zip" })));
  await second.write((tx) => tx.collection(withoutText).insert({ id: "b", title: "Lamps", body: "second" }));
  await second.close();
  const third = await openWith(pages);
  expect([await count(third, "title", "lamp"), await count(third, "title", "zip")]).toEqual([1, 1]);
  expect(await third.verifyIndexes()).toEqual([]);
  checkIndex();
});

test("an interrupted upgrade starts again", async () => {
  const first = await openWith(withoutText);
  for (let n = 0; n < 1100; n++)
    await first.write((tx) => tx.collection(withoutText).insert({ id: `p${n}`, title: "Lamps", body: `b${n}` }));
  await first.close();
  let reads = 0;
  const failing = {
    ...pages,
    text: {
      ...pages.text,
      title: ({ title }: Page): string[] => {
        if (++reads === 700) throw new Error("power cut");
        return analyseText(title);
      },
    },
  };
  const broken = sqliteStorage({ database });
  await expect(broken.open([failing])).rejects.toThrow("power cut");
  await broken.close();
  const storage = await openWith(pages);
  expect(await count(storage, "title", "lamp")).toBe(1100);
  checkIndex();
});

test("terms may contain characters of the index's syntax", async () => {
  const odd = ["'", '"', 'a"b', "&|!()*^:", "", "a b", "A", "a", "a=b", "¤", "¦", "¤20¤", "é 東京", "x".repeat(499)];
  const tagged = defineCollection<StoredRecord & { readonly tags: readonly string[] }>({
    name: "tagged",
    noun: "Tagged",
    terms: { tags: ({ tags }) => tags, TAGS: ({ tags }) => tags.slice(0, 1), ta: () => ["gs"] },
    text: { body: () => ["word"] },
  });
  const storage = sqliteStorage({ database });
  await storage.open([tagged]);
  await storage.write(async (tx) => {
    for (const [n, tag] of odd.entries()) await tx.collection(tagged).insert({ id: `t${n}`, tags: [tag] });
  });
  expect(await storage.verifyIndexes()).toEqual([]);
  for (const [n, tag] of odd.entries())
    for (const field of ["tags", "TAGS"]) {
      const where = { kind: "term", field, words: [tag] } as const;
      const { rows } = await storage.read((tx) => tx.collection(tagged).find(where));
      expect(rows.map(({ id }) => id)).toEqual([`t${n}`]);
    }
});

test("no commit rewrites much of the index, however many segments must be merged", async () => {
  const storage = await openWith(pages);
  const changes = database.prepare("select total_changes() as total");
  const total = (): number => Number(changes.get()?.["total"]);
  const rewritten: number[] = [];
  for (let first = 0; first < 10_000; first += 50) {
    const rows = Array.from({ length: 50 }, (_, n) => ({
      id: `p${first + n}`,
      title: `w${n} t${first}`,
      body: `b${first + n}`,
    }));
    const before = total();
    await storage.write((tx) => tx.collection(pages).insertMany(rows));
    rewritten.push(total() - before);
  }
  const [page] = database.prepare("select v from sb_pages_text_config where k = 'pgsz'").all();
  const pageBytes = Number(page?.["v"] ?? 4050);
  expect(Math.max(...rewritten) * pageBytes).toBeLessThan(600_000);
  checkIndex();
  await storage.close();
});

test("records are indexed again in steps that yield to other work", async () => {
  const beside = sqliteStorage({ filename: join(folder, "steps.db") });
  await beside.open([withoutText]);
  await beside.write(async (tx) => {
    for (let n = 0; n < 9000; n++)
      await tx.collection(withoutText).insert({ id: `p${n}`, title: "Lamps", body: `word${n} `.repeat(60) });
  });
  await beside.close();
  const again = sqliteStorage({ filename: join(folder, "steps.db") });
  let isOpen = false;
  let turns = 0;
  const turn = (): void => {
    turns++;
    if (!isOpen) setImmediate(turn);
  };
  setImmediate(turn);
  await again.open([pages]);
  isOpen = true;
  // Indexing 9,000 texts runs in slices of 10 ms, so it takes many turns.
  expect(turns).toBeGreaterThan(15);
  expect(await count(again, "body", "word7")).toBe(1);
  expect(await again.verifyIndexes()).toEqual([]);
  await again.close();
});

test.each(["x_text", "x_text_data", "x_text_config", "x_terms"])("no collection is named %s", async (name) => {
  const storage = sqliteStorage({ filename: ":memory:" });
  await expect(storage.open([{ name, noun: "X" }])).rejects.toThrow(/cannot be named/);
  await storage.close();
});

test.each(["a b", "1", 'a"', ""])("no text field is named %j", async (field) => {
  const storage = sqliteStorage({ filename: ":memory:" });
  await expect(storage.open([{ name: "x", noun: "X", text: { [field]: () => [] } }])).rejects.toThrow(/text field/);
  await storage.close();
});
