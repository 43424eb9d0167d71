import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { defineCollection } from "@signalbox/core/storage";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { countStatements } from "../../test/counted.ts";
import { sqliteStorage } from "../index.ts";

const notes = defineCollection({ name: "notes", noun: "Note" });
const folder = mkdtempSync(join(tmpdir(), "signalbox-empty-"));
const counter = countStatements();
let files = 0;
let filename = "";
let storage: ReturnType<typeof sqliteStorage>;

beforeEach(async () => {
  filename = join(folder, `${++files}.db`);
  storage = sqliteStorage({ filename });
  await storage.open([notes]);
});
afterEach(() => storage.close());
afterAll(() => {
  counter[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
});

const list = () => storage.readAtOnce?.(notes);
function statements(work: () => unknown): number {
  counter.take();
  work();
  return counter.take().statements;
}

test("a list that was found empty is not read again until something is committed", async () => {
  expect([statements(list), statements(list)]).toEqual([1, 0]);
  expect(list()).toEqual([]);
  await storage.write(async (tx) => {
    await tx.collection(notes).insert({ id: "a" });
    expect(list()).toEqual([]);
  });
  expect(list()).toEqual([{ id: "a" }]);
  expect(statements(list)).toBe(1);
  await storage.write((tx) => tx.collection(notes).delete("a"));
  expect(list()).toEqual([]);
  expect(statements(list)).toBe(0);
});

test("a list that is too long for one turn is left to a read", async () => {
  const insert = (ids: readonly number[]) =>
    storage.write(async (tx) => {
      for (const id of ids) await tx.collection(notes).insert({ id: `n${id}` });
    });
  await insert([...Array(250).keys()]);
  expect(list()).toHaveLength(250);
  await insert([250]);
  expect(list()).toBeUndefined();
});

test("a collection that was found empty is not read again until something is committed", async () => {
  const isEmpty = () => storage.isKnownEmpty?.(notes);
  expect([statements(isEmpty), statements(isEmpty), isEmpty()]).toEqual([1, 0, true]);
  await storage.write((tx) => tx.collection(notes).insert({ id: "a" }));
  expect([isEmpty(), statements(isEmpty)]).toEqual([false, 1]);
});

test("listeners after a commit see its records", async () => {
  list();
  const seen: unknown[] = [];
  await storage.write(async (tx) => {
    tx.afterCommit(() => seen.push(list()));
    await tx.collection(notes).insert({ id: "a" });
  });
  expect(seen).toEqual([[{ id: "a" }]]);
});

test("a storage that has lost its claim on the file finds the records of the new owner", async () => {
  list();
  using owner = new DatabaseSync(filename);
  owner.exec("update sb_owner set token = 'another'");
  owner.prepare("insert into sb_notes (id, revision, doc) values (?, 1, ?)").run("a", '{"id":"a"}');
  expect(list()).toEqual([]);
  await expect(storage.write((tx) => tx.collection(notes).insert({ id: "b" }))).rejects.toThrow();
  expect(list()).toEqual([{ id: "a" }]);
});

test("once the host has written in a transaction of its own, each list is read", async () => {
  list();
  using host = new DatabaseSync(filename);
  host.exec("begin immediate");
  await storage.adopt(host).write((tx) => tx.collection(notes).insert({ id: "a" }));
  expect(list()).toEqual([]);
  host.exec("commit");
  expect(list()).toEqual([{ id: "a" }]);
  host.exec("begin immediate");
  await storage.adopt(host).write((tx) => tx.collection(notes).delete("a"));
  host.exec("commit");
  expect([statements(list), statements(list)]).toEqual([1, 1]);
});
