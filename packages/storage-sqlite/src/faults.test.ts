import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { defineCollection, type Storage, type StoredRecord } from "@signalbox/core/storage";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { betterSqliteLike } from "../test/better-sqlite-like.ts";
import { sqliteStorage } from "./index.ts";

interface Note extends StoredRecord {
  readonly title: string;
  readonly tags: readonly string[];
}
const notes = defineCollection<Note>({
  name: "notes",
  noun: "Note",
  columns: { title: { type: "text", read: (note) => note.title } },
  terms: { tags: (note) => note.tags },
});

const folder = mkdtempSync(join(tmpdir(), "signalbox-sqlite-faults-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newFile = (): string => join(folder, `${++files}.db`);

const unhandled: unknown[] = [];
const remember = (reason: unknown): void => void unhandled.push(reason);
beforeEach(() => void process.on("unhandledRejection", remember));
afterEach(() => void process.off("unhandledRejection", remember));

/** Inserts two notes in one transaction, so that a half-applied one would show. */
const insertPair = (storage: Storage, id: string): Promise<void> =>
  storage.write(async (tx) => {
    await tx.collection(notes).insert({ id, title: id, tags: ["t"] });
    await tx.collection(notes).insert({ id: `${id}2`, title: id, tags: ["t"] });
  });
/** Ignores an insert error and goes on. */
const insertRegardless = (storage: Storage, id: string): Promise<void> =>
  storage.write(async (tx) => {
    await tx
      .collection(notes)
      .insert({ id, title: id, tags: [] })
      .catch(() => undefined);
    await tx.collection(notes).insert({ id: `${id}2`, title: id, tags: [] });
  });
const readTwice = (storage: Storage): Promise<number> =>
  storage.read(async (tx) => {
    const before = (await tx.collection(notes).list()).length;
    expect((await tx.collection(notes).list()).length).toBe(before);
    return before;
  });
const idsOf = (storage: Storage): Promise<string[]> =>
  storage.read(async (tx) => (await tx.collection(notes).list()).map(({ id }) => id));

/** Runs everything at once; returns the ids of the pairs whose write was acknowledged. */
async function useAll(storage: Storage, insertLast: typeof insertPair): Promise<string[]> {
  const ids = ["a", "b", "c", "d"];
  const writes = ids.map((id) => (id === "d" ? insertLast : insertPair)(storage, id));
  const reads = [readTwice(storage), readTwice(storage)];
  const [done] = await Promise.all([Promise.allSettled(writes), Promise.allSettled(reads)]);
  return ids.filter((_, at) => done[at]?.status === "fulfilled");
}

const diskError = (): Error => Object.assign(new Error("disk I/O error"), { code: "SQLITE_IOERR" });
const KINDS = [
  { kind: "fails only the statement", harm: () => undefined, insertLast: insertPair },
  {
    kind: "ends the transaction with it, as a full disk does",
    harm(database: DatabaseSync) {
      if (database.isTransaction) database.exec("rollback");
    },
    insertLast: insertRegardless,
  },
];

describe.each(KINDS)("an error of SQLite that $kind", ({ harm, insertLast }) => {
  test("rejects its callers, leaves no partial write, and the queues continue", async () => {
    for (let failing = 1, hit = true; hit; failing++) {
      let count = -1;
      hit = false;
      const interfere = (_sql: string, database: DatabaseSync): void => {
        if (count < 0 || ++count !== failing) return;
        hit = true;
        harm(database);
        throw diskError();
      };
      const storage = sqliteStorage({ database: betterSqliteLike(newFile(), { interfere }) });
      await storage.open([notes]);
      count = 0;
      const acknowledged = await useAll(storage, insertLast);
      count = -1;
      await insertPair(storage, "later");
      const stored = await idsOf(storage);
      const pairs = stored.filter((id) => !id.endsWith("2"));
      expect(stored.sort(), `statement ${failing}`).toEqual(pairs.flatMap((id) => [id, `${id}2`]).sort());
      expect(pairs.sort(), `statement ${failing}`).toEqual([...acknowledged, "later"].sort());
      expect(await storage.verifyIndexes()).toEqual([]);
      await storage.close();
    }
    expect(unhandled).toEqual([]);
  });
});

test("a damaged page fails the calls that read it, and the process lives", async () => {
  const program = `
    import { closeSync, openSync, statSync, writeSync } from "node:fs";
    import { DatabaseSync } from "node:sqlite";
    import { createSignalbox, silentLogger } from "@signalbox/core";
    import { sqliteStorage } from "@signalbox/storage-sqlite";
    const filename = ${JSON.stringify(newFile())};
    const storage = sqliteStorage({ filename });
    const engine = createSignalbox({ storage, secretKey: "0123456789abcdef", log: silentLogger });
    await engine.start();
    for (let n = 0; n < 60; n++) await engine.api.createTicket({ subject: "Ticket " + n, body: "lorem ".repeat(200) });
    const other = new DatabaseSync(filename);
    other.exec("pragma wal_checkpoint(truncate)");
    other.close();
    const file = openSync(filename, "r+");
    for (let page = 4; page < statSync(filename).size / 4096; page += 3) writeSync(file, Buffer.alloc(4096, 171), 0, 4096, page * 4096);
    closeSync(file);
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, () => [
        engine.api.searchTickets({ query: "*", limit: 100 }),
        engine.api.searchTickets({ query: "lorem" }),
        engine.api.createTicket({ subject: "Another" }),
      ]).flat(),
    );
    console.log(answers.some(({ status }) => status === "rejected") ? "refused" : "answered");
    await engine.api.ping({});
    await engine.stop().catch(() => undefined);
    console.log("alive");
    process.exit(0);`;
  const child = spawn(process.execPath, ["--conditions=@signalbox/source", "--input-type=module", "-e", program], {
    cwd: import.meta.dirname,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (said += text));
  const [code] = await once(child, "close");
  expect({ code, said: said.trim() }).toEqual({ code: 0, said: "refused\nalive" });
});
