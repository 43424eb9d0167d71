import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";
import {
  type BlobStore,
  createSignalbox,
  type LogFields,
  memoryBlobStore,
  SignalboxError,
  StorageError,
  systemActor,
} from "@signalbox/core";
import { type FakeClock, fakeClock, type ScriptedServer, scriptedAgent } from "@signalbox/core/testing";
import { sqliteStorage } from "../src/index.ts";
import { betterSqliteLike } from "./better-sqlite-like.ts";

/**
 * "statement": one statement of SQLite fails, which may be a begin, a commit or a rollback. "transaction": SQLite ends
 * the transaction with it, as a full disk does. "blob": one call of the blob store fails.
 */
export type FaultKind = "statement" | "transaction" | "blob";

export interface Injection {
  readonly kind: FaultKind;
  /** Which one fails, from 1 on; 0 = none. */
  readonly at: number;
}

export interface Injected {
  /** Texts of the statements, or names of the calls of the blob store, of the whole scenario, in their order. */
  readonly places: readonly string[];
  /** What must not be; empty when all is well. */
  readonly problems: readonly string[];
}

const LONGEST_MS = 30_000;
const START = 1_800_000_000;
const SECRET = "a secret key for tests";

const folder = mkdtempSync(join(tmpdir(), "signalbox-injection-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
let files = 0;

/** Migrated and filled with the defaults once, then copied: that is not what is tested. */
let template: Promise<string> | undefined;
const makeTemplate = async (): Promise<string> => {
  const filename = join(folder, "template.db");
  const storage = sqliteStorage({ filename });
  const engine = createSignalbox({ storage, secretKey: SECRET, clock: fakeClock(START) });
  await engine.start();
  await engine.stop();
  return filename;
};

/** Counts from 1 on, and throws at the one that is to fail. */
function createSpoiler({ kind, at }: Injection) {
  const places: string[] = [];
  let isOn = false;
  const strike = (place: string): boolean => isOn && places.push(place) === at;
  return {
    places,
    turn(on: boolean): void {
      isOn = on;
    },
    statement(sql: string, database: DatabaseSync): void {
      if (kind === "blob" || !strike(sql)) return;
      if (kind === "transaction" && database.isTransaction) database.exec("rollback");
      throw Object.assign(new Error("injected"), { code: kind === "transaction" ? "SQLITE_FULL" : "SQLITE_IOERR" });
    },
    async blob(call: string): Promise<void> {
      if (kind === "blob" && strike(call)) throw Object.assign(new Error("injected"), { code: "ENOSPC" });
    },
  };
}

type Spoiler = ReturnType<typeof createSpoiler>;

function spoiledBlobs(inner: BlobStore, { blob }: Spoiler): BlobStore {
  const { move } = inner;
  return {
    put: async (key, content) => blob("put").then(() => inner.put(key, content)),
    get: async (key, range) => blob("get").then(() => inner.get(key, range)),
    head: async (key) => blob("head").then(() => inner.head(key)),
    delete: async (key) => blob("delete").then(() => inner.delete(key)),
    list: async (prefix, page) => blob("list").then(() => inner.list(prefix, page)),
    ...(move ? { move: async (from: string, to: string) => blob("move").then(() => move.call(inner, from, to)) } : {}),
  };
}

/** One life of an engine on the file. */
function openEngine(filename: string, spoiler: Spoiler, blobs: BlobStore, clock: FakeClock) {
  const told: string[] = [];
  const note = (fields: LogFields, message: string): void => {
    if (fields["critical"] === true) told.push(message);
  };
  const quiet = (): void => undefined;
  const storage = sqliteStorage({
    database: betterSqliteLike(filename, { interfere: spoiler.statement }),
    durability: "process",
    clock,
  });
  const agent = scriptedAgent();
  const engine = createSignalbox({
    ...{ storage, clock, agents: agent, secretKey: SECRET, blobs: spoiledBlobs(blobs, spoiler) },
    log: { debug: quiet, info: quiet, warn: quiet, error: note },
  });
  return { agent, engine, storage, told };
}

type Life = ReturnType<typeof openEngine>;

interface Kept {
  readonly tickets: string[];
  readonly jobs: string[];
  readonly problems: string[];
}

/** With its causes: callers are told less than a log. */
const shown = (error: unknown): string => inspect(error, { depth: 3 });

/** Resolves with the answer; a refusal is a problem only when it does not say what is wrong. */
async function attempt<R>(kept: Kept, what: string, call: () => Promise<R>): Promise<R | undefined> {
  try {
    return await call();
  } catch (error) {
    const isTold = error instanceof SignalboxError && error.code !== "internal";
    if (!isTold) kept.problems.push(`${what}: ${shown(error)}`);
    return undefined;
  }
}

const EVENT = {
  ...{ id: "nightly", title: "Nightly", enabled: true, category: "general", plugin: "shellplug", targets: ["main"] },
  ...{ algo: "random", params: { script: "echo hello" }, triggers: [{ type: "manual", enabled: true }] },
};
const ALERT = {
  ...{ id: "hot", title: "Hot", enabled: true, expression: "monitors.load_avg > 5", groups: [], monitor_id: "" },
  ...{ samples: 1, message: "Hot" },
};

const join_ = ({ agent }: Life): Promise<ScriptedServer> =>
  agent.connect({ hostname: "web01.example.internal", id: "s1", initial: { groups: ["main"] } });

const finish = (server: ScriptedServer | undefined, ids: readonly string[]): void => {
  if (server?.isOpen && ids.length > 0)
    server.send("jobs", Object.fromEntries(ids.map((id) => [id, { state: "complete", complete: true, code: 0 }])));
};

/** A bit of everything, while the fault comes. */
async function useAll(life: Life, kept: Kept, clock: FakeClock): Promise<ScriptedServer | undefined> {
  const { api, blobs, execute } = life.engine;
  const tried = <R>(what: string, call: () => Promise<R>): Promise<R | undefined> => attempt(kept, what, call);
  const connecting = join_(life).catch(() => undefined);
  await clock.advance(2);
  const server = await Promise.race([connecting, sleep(50).then(() => undefined)]);
  const user = { username: "ann", full_name: "Ann", email: "ann@example.com", password: "long enough 1" };
  const input = { ...user, privileges: {} };
  await tried("admin_create_user", () => execute({ operation: "user/admin_create_user", actor: systemActor, input }));
  await tried("create_category", () => api.createCategory({ id: "rail", title: "Rail" } as never));
  await tried("create_event", () => api.createEvent(EVENT as never));
  await tried("create_alert", () => api.createAlert(ALERT as never));
  const launched = await tried("run_event", () => api.runEvent({ id: EVENT.id } as never));
  if (launched) kept.jobs.push(launched.id);
  await clock.advance(2);
  for (const subject of ["One", "Two"]) {
    const made = await tried("create_ticket", () =>
      api.createTicket({ subject, body: "some words", tags: [] } as never),
    );
    if (made) kept.tickets.push(made.ticket.id);
  }
  const [ticket = "none"] = kept.tickets;
  await Promise.all([
    tried("update_ticket", () => api.updateTicket({ id: ticket, body: "other words" } as never)),
    tried("add_ticket_change", () =>
      api.addTicketChange({ id: ticket, change: { type: "comment", body: "A comment" } } as never),
    ),
    tried("search_tickets", () => api.searchTickets({ query: "words" })),
    tried("search_jobs", () => api.searchJobs({ query: "*" })),
  ]);
  await tried("upload_files", async () => {
    const { sizeBytes } = await blobs.put("tmp/a/0-b", pieces());
    const upload = { field: "file1", filename: "b.txt", sizeBytes, key: "tmp/a/0-b" };
    await execute({ operation: "upload_files", actor: systemActor, uploads: [upload] });
    await blobs.list("files/", { limit: 10 });
  });
  if (launched && server?.isOpen) server.send("job_log", { id: launched.id, text: "line\n".repeat(200) });
  for (let minute = 0; minute < 2; minute++) {
    if (server?.isOpen) server.send("monitor", { version: "1.0", date: clock.now(), data: { load: [9, 9, 9] } });
    await clock.advance(60);
  }
  finish(server, kept.jobs);
  await clock.advance(5);
  await tried("delete_category", () => api.deleteCategory({ id: "rail" } as never));
  return server;
}

async function* pieces(): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(1000);
}

/** Everything must work again, and what was refused or lost by the fault is made up for. */
async function goOn(
  life: Life,
  kept: Kept,
  { clock, server }: { clock: FakeClock; server?: ScriptedServer | undefined },
) {
  const { api } = life.engine;
  const must = async (what: string, call: () => Promise<unknown>): Promise<void> => {
    await call().catch((error: unknown) => kept.problems.push(`afterwards, ${what}: ${shown(error)}`));
  };
  await clock.advance(30);
  if (life.engine.fault()) kept.problems.push("the outage has no end");
  if (life.told.length > 1) kept.problems.push(`told ${life.told.length} times`);
  let link = server;
  await must("join", async () => {
    if (!link?.isOpen) link = await joined(life, clock);
  });
  const exists = await api.getEvent({ id: EVENT.id }).catch(() => undefined);
  if (!exists) await must("create_event", () => api.createEvent(EVENT as never));
  await must("create_ticket", async () => {
    kept.tickets.push((await api.createTicket({ subject: "Three" } as never)).ticket.id);
  });
  await must("run_event", async () => void kept.jobs.push((await api.runEvent({ id: EVENT.id } as never)).id));
  await clock.advance(10);
  finish(link, kept.jobs);
  await clock.advance(130);
  for (const id of kept.jobs)
    await must(`the end of job ${id}`, async () => {
      const { job } = await api.getJob({ id });
      if (job["state"] !== "complete") throw new Error(`It is ${job["state"]}`);
    });
}

async function joined(life: Life, clock: FakeClock): Promise<ScriptedServer> {
  const connecting = join_(life);
  connecting.catch(() => undefined);
  await clock.advance(2);
  return connecting;
}

/** What is stored, seen by a storage and an engine that never met the fault. */
async function examine(life: Life, kept: Kept): Promise<void> {
  const { engine, storage } = life;
  await engine.start();
  const differences = await storage.verifyIndexes();
  if (differences.length > 0) kept.problems.push(`indexes differ: ${JSON.stringify(differences.slice(0, 3))}`);
  const { rows: tickets } = await engine.api.searchTickets({ query: "*", limit: 100 });
  const { rows: told } = await engine.api.searchActivity({ query: "action:ticket_create", limit: 100 });
  const stored = tickets.map(({ id }) => id).sort();
  if (stored.length !== told.length) kept.problems.push(`${stored.length} tickets and ${told.length} rows about them`);
  for (const id of kept.tickets) if (!stored.includes(id)) kept.problems.push(`acknowledged ticket ${id} is lost`);
  const { failed } = await storage.work.stats();
  if (failed > 0) kept.problems.push(`${failed} items of queued work were given up`);
  await engine.stop();
}

async function live(spoiler: Spoiler, kept: Kept): Promise<void> {
  template ??= makeTemplate();
  const filename = join(folder, `${++files}.db`);
  copyFileSync(await template, filename);
  const clock = fakeClock(START);
  const blobs = memoryBlobStore({ clock });
  let life = openEngine(filename, spoiler, blobs, clock);
  const start = async (): Promise<boolean> =>
    life.engine.start().then(
      () => true,
      (error: unknown) => {
        if (!(error instanceof StorageError)) kept.problems.push(`start: ${shown(error)}`);
        return false;
      },
    );
  spoiler.turn(true);
  if (!(await start())) {
    await life.engine.stop().catch(() => undefined);
    life = openEngine(filename, spoiler, blobs, clock);
    if (!(await start())) kept.problems.push("it does not start again");
  }
  const server = await useAll(life, kept, clock);
  spoiler.turn(false);
  await goOn(life, kept, { clock, server });
  await life.engine.stop().catch((error: unknown) => {
    if (!(error instanceof StorageError)) kept.problems.push(`stop: ${shown(error)}`);
  });
  await examine(openEngine(filename, spoiler, blobs, clock), kept);
  rmSync(filename, { force: true });
}

/** Runs the whole scenario with one fault in it. */
export async function inject(injection: Injection): Promise<Injected> {
  const spoiler = createSpoiler(injection);
  const kept: Kept = { tickets: [], jobs: [], problems: [] };
  const remember = (reason: unknown): void => void kept.problems.push(`nobody waited: ${shown(reason)}`);
  process.on("unhandledRejection", remember);
  const stopping = new AbortController();
  const late = sleep(LONGEST_MS, true, { signal: stopping.signal }).catch(() => false);
  try {
    const outcome = await Promise.race([live(spoiler, kept).then(() => false), late]);
    if (outcome) kept.problems.push("it hangs");
    // Rejections that nobody handles are told at the end of a turn.
    await sleep(0);
  } catch (error) {
    kept.problems.push(`scenario: ${shown(error)}`);
  } finally {
    stopping.abort();
    process.off("unhandledRejection", remember);
  }
  return { places: spoiler.places, problems: kept.problems };
}
