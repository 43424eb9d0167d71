import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { defineCollection, type Storage, type StoredRecord } from "@signalbox/core/storage";
import { afterAll, afterEach } from "vitest";
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

const folder = mkdtempSync(join(tmpdir(), "signalbox-sqlite-"));

let files = 0;

afterAll(() => rmSync(folder, { recursive: true, force: true }));

export const newFile = (): string => join(folder, `${++files}.db`);

export const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

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
