import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { defineCollection, type Storage, type StoredRecord } from "@signalbox/core/storage";
import { afterEach, beforeAll } from "vitest";
import { type SqliteStorageOptions, sqliteStorage } from "../src/index.ts";

export interface Note extends StoredRecord {
  readonly title: string;
  readonly tags?: readonly string[];
}

export const notes = defineCollection<Note>({
  name: "notes",
  noun: "Note",
  columns: { title: { type: "text", read: (note) => note.title } },
  terms: { tags: (note) => note.tags ?? [] },
});

let folder = "";
let files = 0;

export const newFile = (): string => join(folder, `${++files}.db`);

export const closing: (() => unknown)[] = [];

/** Each test file calls this: hooks belong to the file that runs, while this module is loaded once for several. */
export function useFiles(): void {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "signalbox-sqlite-"));
    return () => rmSync(folder, { recursive: true, force: true });
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
}

export async function openStorage(options: SqliteStorageOptions) {
  const storage = sqliteStorage(options);
  await storage.open([notes]);
  closing.push(() => storage.close());
  return storage;
}

export function openHost(filename: string): DatabaseSync {
  const host = new DatabaseSync(filename);
  closing.push(() => host.isOpen && host.close());
  return host;
}

export const insert = (storage: Pick<Storage, "write">, id: string): Promise<void> =>
  storage.write((tx) => tx.collection(notes).insert({ id, title: `Note ${id}`, tags: ["t"] }));

export const idsOf = (storage: Storage): Promise<string[]> =>
  storage.read(async (tx) => (await tx.collection(notes).list()).map(({ id }) => id));
