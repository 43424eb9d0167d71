import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineCollection, type Storage, type StoredRecord } from "@signalbox/core/storage";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { sqliteStorage } from "../index.ts";
import { nextTurn } from "./turns.ts";

const notes = defineCollection<StoredRecord>({ name: "notes", noun: "Note", columns: {} });
const folder = mkdtempSync(join(tmpdir(), "signalbox-turns-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let storage: Storage;
/** Turns of the event loop so far. */
let turn: number;
let counting: boolean;
beforeEach(async () => {
  storage = sqliteStorage({ filename: join(folder, "turns.db") });
  await storage.open([notes]);
  turn = 0;
  counting = true;
  const count = async (): Promise<void> => {
    for (; counting; turn++) await nextTurn();
  };
  void count();
});
afterEach(async () => {
  counting = false;
  await storage.close();
});

/** Blocks the event loop, as a large read or much JSON does. */
function hold(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until; );
}

/** The largest number of entries that name the same turn. */
const mostInOneTurn = (turns: readonly number[]): number =>
  Math.max(...turns.map((one) => turns.filter((other) => other === one).length));

test("concurrent reads block the loop for only a few milliseconds at a time", async () => {
  const turns: number[] = [];
  const read = (): Promise<void> =>
    storage.read(async (tx) => {
      await tx.collection(notes).get("none");
      hold(2);
      turns.push(turn);
    });
  await Promise.all(Array.from({ length: 40 }, read));
  expect(turns).toHaveLength(40);
  expect(mostInOneTurn(turns)).toBeLessThanOrEqual(2);
});

test("concurrent writes block the loop for only a few milliseconds at a time", async () => {
  const turns: number[] = [];
  const write = (_: unknown, index: number): Promise<void> =>
    storage.write(async (tx) => {
      await tx.collection(notes).insert({ id: `slow${index}` });
      hold(2);
      turns.push(turn);
    });
  await Promise.all(Array.from({ length: 40 }, write));
  expect(turns).toHaveLength(40);
  expect(mostInOneTurn(turns)).toBeLessThanOrEqual(3);
});

test("writes of one group are answered over several turns, in the order of their calls", async () => {
  const told: number[] = [];
  const turns: number[] = [];
  const write = (_: unknown, index: number): Promise<void> =>
    storage
      .write(async () => undefined)
      .then(() => {
        told.push(index);
        turns.push(turn);
      });
  await Promise.all(Array.from({ length: 100 }, write));
  expect(told).toEqual(Array.from({ length: 100 }, (_, index) => index));
  expect(mostInOneTurn(turns)).toBeLessThanOrEqual(16);
});

test("reads that wait for a later turn see writes since then", async () => {
  const seen: boolean[] = [];
  const read = (): Promise<void> =>
    storage.read(async (tx) => {
      const note = await tx.collection(notes).get("meanwhile");
      hold(2);
      seen.push(note !== undefined);
    });
  const reads = Array.from({ length: 40 }, read);
  await storage.write((tx) => tx.collection(notes).insert({ id: "meanwhile" }));
  await Promise.all(reads);
  expect(seen[0]).toBe(false);
  expect(seen.at(-1)).toBe(true);
});
