import { expect, test } from "vitest";
import { memoryStorage } from "../../memory/memory-storage.ts";
import { defineCollection, type Page } from "../../ports/storage/collection.ts";
import type { ReadTx, WriteTx } from "../../ports/storage/storage.ts";
import { everything, type SearchNode } from "../../search/ast.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import type { Snapshot, Transact } from "../transactions/unit-of-work.ts";
import { keepNewest } from "./keep-newest.ts";

interface Note {
  readonly id: string;
  readonly date: number;
  readonly isOpen: boolean;
}
const notes = defineCollection<Note>({
  name: "notes",
  noun: "Note",
  columns: { date: { type: "integer", read: ({ date }) => date } },
  terms: { open: ({ isOpen }) => [String(isOpen)] },
});
const closed = { kind: "term", field: "open", words: ["false"] } as const;

/** A storage with `count` notes: the oldest have the highest ids, and every third is open. */
async function open(count: number) {
  const storage = memoryStorage();
  await storage.open([notes]);
  const all = Array.from({ length: count }, (_, at) => ({
    ...{ id: String(9999 - at), date: at, isOpen: at % 3 === 0 },
  }));
  await storage.write((tx) => tx.collection(notes).insertMany(all));
  const pages: object[] = [];
  const watched = (tx: WriteTx | ReadTx) => ({
    ...tx,
    collection: () => {
      const inner = tx.collection(notes);
      return {
        ...inner,
        find(where: SearchNode, page: Page) {
          pages.push(page);
          return inner.find(where, page);
        },
      };
    },
  });
  const snapshot = ((work: (tx: object) => Promise<unknown>) => storage.read((tx) => work(watched(tx)))) as Snapshot;
  const transact = ((work: (unit: object) => Promise<unknown>) =>
    storage.write((tx) => work({ tx: watched(tx) }))) as Transact;
  const run = (kept: number, where?: typeof closed, signal = new AbortController().signal) =>
    keepNewest(
      { clock: fakeClock(), snapshot, transact },
      { collection: notes, sortBy: "date", ...(where ? { where } : {}), kept: () => kept, signal },
    );
  const dates = () =>
    storage.read(async (tx) =>
      (await tx.collection(notes).find(everything, { sortBy: "date" })).rows.map(({ date }) => date),
    );
  return { run, dates, pages };
}

test("the oldest are deleted by their date, without reading records that stay", async () => {
  const { run, dates, pages } = await open(1230);
  await run(100);
  expect(await dates()).toEqual(Array.from({ length: 100 }, (_, at) => 1130 + at));
  expect(pages.filter((page) => "offset" in page)).toEqual([]);
});

test("half of the surplus is deleted between two counts", async () => {
  const { run, dates, pages } = await open(8100);
  await run(100);
  expect(await dates()).toHaveLength(100);
  // Counts at 8,000, 4,000, 2,000, 1,000 and none.
  expect(pages.filter((page) => "limit" in page && page.limit === 0)).toHaveLength(5);
});

test("records that must be kept stay, and count", async () => {
  const { run, dates } = await open(90);
  await run(60, closed);
  expect((await dates()).filter((date) => date % 3 === 0)).toHaveLength(30);
  expect(await dates()).toHaveLength(60);
  await run(10, closed);
  expect(await dates()).toHaveLength(30);
});

test("nothing is deleted when it is told to stop", async () => {
  const { run, dates } = await open(20);
  await run(5, undefined, AbortSignal.abort());
  expect(await dates()).toHaveLength(20);
});
