import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as turn } from "node:timers/promises";
import { createSignalbox, memoryBlobStore } from "@signalbox/core";
import type { BlobStore, LogFields } from "@signalbox/core/adapter";
import { fakeClock } from "@signalbox/core/testing";
import { sqliteStorage } from "@signalbox/storage-sqlite";
import { expect, onTestFinished, test } from "vitest";
import { quickKeys } from "../../core/test/engine.ts";
import { betterSqliteLike } from "../../storage-sqlite/test/better-sqlite-like.ts";
import { createRouter } from "../src/index.ts";
import { untilOf } from "./until.ts";

interface Line extends LogFields {
  readonly level: string;
  readonly message: string;
}

type Harm = (database: DatabaseSync) => void;

/** A real file; the test may do something to each of its connections before the next statement. */
function harmableDatabase() {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-storage-faults-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  let harm: Harm | undefined;
  const done = new WeakMap<DatabaseSync, Harm>();
  const interfere = (_sql: string, database: DatabaseSync): void => {
    if (!harm || done.get(database) === harm) return;
    done.set(database, harm);
    harm(database);
  };
  const database = betterSqliteLike(join(folder, "signalbox.db"), { interfere });
  const apply = (next: Harm): void => {
    // A new function each time, so that every connection is affected again.
    harm = (one) => next(one);
  };
  return { database, apply };
}

/** An engine whose database and log the test controls. */
async function startOn(blobs: BlobStore = memoryBlobStore()) {
  const { database, apply } = harmableDatabase();
  const clock = fakeClock();
  const lines: Line[] = [];
  const line = (level: string) => (fields: LogFields, message: string) =>
    void lines.push({ level, message, ...fields });
  const log = { debug: line("debug"), info: line("info"), warn: line("warn"), error: line("error") };
  const storage = sqliteStorage({ database, clock });
  const engine = createSignalbox({
    storage,
    blobs,
    clock,
    log,
    secretKey: "a secret key for tests",
    plugins: [quickKeys],
  });
  const { administratorKey = "" } = await engine.start();
  onTestFinished(() => engine.stop());
  const app = createRouter(engine, { log: { ...log, warn: () => undefined } });
  const send = async (path: string, body?: object | FormData) => {
    const headers = {
      "x-api-key": administratorKey,
      ...(body instanceof FormData ? {} : { "content-type": "application/json" }),
    };
    const text = body instanceof FormData ? body : JSON.stringify(body);
    const answer = await app.request(path, body ? { method: "POST", headers, body: text } : { headers });
    const answered = await answer.text();
    return { status: answer.status, body: answered, json: answered === "" ? undefined : JSON.parse(answered) };
  };
  const ticket = () => send("/api/app/create_ticket/v1", { subject: "A", body: "long ".repeat(20_000) });
  return { apply, clock, lines, engine, send, ticket, told: () => lines.filter(({ critical }) => critical === true) };
}

type Started = Awaited<ReturnType<typeof startOn>>;

/** Advances time in steps, because the probes of an outage do real work. */
async function pass({ clock }: Started, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    await clock.advance(1);
    await turn(4);
  }
}

const criticalRows = async ({ engine }: Started) => {
  const { rows } = await engine.api.searchActivity({ query: "action:critical", limit: 10 });
  return rows;
};

const HARMS = [
  {
    fault: "full",
    sentence: "The database is full: nothing can be saved until there is room again.",
    harm: (database: DatabaseSync) => {
      const { page_count: pages } = database.prepare("pragma page_count").get() as { page_count: number };
      database.exec(`pragma max_page_count = ${pages}`);
    },
    heal: (database: DatabaseSync) => database.exec("pragma max_page_count = 1000000"),
  },
  {
    fault: "read-only",
    sentence: "The database is read-only: nothing can be saved.",
    harm: (database: DatabaseSync) => database.exec("pragma query_only = 1"),
    heal: (database: DatabaseSync) => database.exec("pragma query_only = 0"),
  },
];

test.each(HARMS)("a database that is $fault has its own code and message on every path", async (one) => {
  const at = await startOn();
  at.apply(one.harm);
  const refused = { status: 503, json: { code: "storage", description: one.sentence } };
  expect(await at.ticket()).toMatchObject(refused);
  const body = "long ".repeat(20_000);
  expect(await at.send("/api/app/create_ticket", { subject: "A", body })).toMatchObject(refused);
  expect((await at.send("/api/app/search_tickets/v1", { query: "*" })).status).toBe(200);
  at.apply(one.heal);
});

test.each(HARMS)(
  "a database that is $fault is reported once, makes the engine unhealthy, and recovers without help",
  async (one) => {
    const at = await startOn();
    expect((await at.send("/health")).status).toBe(200);
    at.apply(one.harm);
    for (let count = 0; count < 5; count++) expect((await at.ticket()).status).toBe(503);
    await pass(at, 12);
    expect(at.told().map(({ message }) => message)).toEqual([one.sentence]);
    expect(at.lines.filter(({ level }) => level === "error")).toHaveLength(1);
    expect(await at.send("/health")).toMatchObject({ status: 503, body: "" });

    at.apply(one.heal);
    await pass(at, 12);
    await untilOf(at.clock)(async () => (await at.send("/health")).status === 200);
    expect((await at.ticket()).status).toBe(200);
    expect(await criticalRows(at)).toMatchObject([{ action: "critical", description: one.sentence, fault: one.fault }]);

    await pass(at, 90);
    at.apply(one.harm);
    for (let count = 0; count < 3; count++) expect((await at.ticket()).status).toBe(503);
    expect(at.told()).toHaveLength(2);
    at.apply(one.heal);
    await untilOf(at.clock)(async () => (await criticalRows(at)).length === 2);
  },
);

test.each([
  ["ENOSPC", "The file store is full: nothing can be saved until there is room again."],
  [
    "EMFILE",
    "The file store cannot be used: this process has too many files and connections open; raise its limit (ulimit -n).",
  ],
])(
  "a file store failing by %s has the same code, is reported once, and recovers by itself",
  async (code, description) => {
    const inner = memoryBlobStore();
    let isFull = false;
    const full = (): never => {
      throw Object.assign(new Error(`Blob x could not be stored: ${code}`), { code });
    };
    const at = await startOn({ ...inner, put: async (key, content) => (isFull ? full() : inner.put(key, content)) });
    const upload = () => {
      const form = new FormData();
      form.set("json", JSON.stringify({ path: "a" }));
      form.set("file1", new Blob(["x"]), "a.txt");
      return at.send("/api/app/upload_files/v1", form);
    };
    isFull = true;
    for (let count = 0; count < 3; count++)
      expect(await upload()).toMatchObject({ status: 503, json: { code: "storage", description } });
    expect(at.told().map(({ message }) => message)).toEqual([description]);
    expect((await at.send("/health")).status).toBe(503);
    isFull = false;
    await pass(at, 12);
    await untilOf(at.clock)(async () => (await at.send("/health")).status === 200);
    expect(await criticalRows(at)).toMatchObject([{ description, store: "file store" }]);
  },
);
