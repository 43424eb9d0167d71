import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSignalbox, memoryBlobStore } from "@signalbox/core";
import { systemRandom } from "@signalbox/core/adapter";
import type { Storage } from "@signalbox/core/storage";
import { pgStorage } from "@signalbox/storage-pg";
import { sqliteStorage } from "@signalbox/storage-sqlite";
import pg from "pg";
import { ticketCollection } from "../packages/core/src/desk/tickets/collection.ts";
import { startPostgres } from "../packages/storage-pg/test/embedded-postgres.ts";
import type { Row } from "./report.ts";
import { type BenchTicket, createTickets, STATUSES, TAGS, TYPES, wordOf } from "./search-data.ts";
import { createRandom } from "./timeline-data.ts";

export interface SearchOptions {
  readonly tickets: number;
  /** Searches of each class; default 60. */
  readonly turns?: number;
}

interface Budget {
  readonly p50: number;
  readonly p99: number;
}

const BATCH = 250;
const WARM_UP = 5;
/** Tickets written one by one, eight at a time, each acknowledged after its commit. */
const SINGLES = 400;
const AT_ONCE = 8;

type Ask = { readonly query: string; readonly sort_by?: string };
type Classes = Readonly<Record<string, () => Ask>>;

/** The classes of the reference measurement. Phrases are taken from the stored texts. */
function classesOf(texts: readonly string[]): Classes {
  const random = createRandom(11);
  const between = (low: number, high: number): number => low + Math.floor(random() * (high - low));
  const pick = <T>(values: readonly T[]): T => values[between(0, values.length)] as T;
  const rare = (): string => wordOf(between(8000, 25_000));
  const mid = (): string => wordOf(between(600, 1200));
  const common = (): string => wordOf(between(0, 3));
  const any = (): string => wordOf(between(20, 3000));
  const phrase = (): string => {
    const words = pick(texts).split(" ");
    const start = between(0, words.length - 3);
    return `"${words.slice(start, start + 3).join(" ")}"`;
  };
  return {
    "rare word": () => ({ query: rare() }),
    "word in 2% of all": () => ({ query: mid() }),
    "word in nearly all": () => ({ query: common() }),
    "two words": () => ({ query: `${any()} ${any()}` }),
    "phrase of three": () => ({ query: phrase() }),
    "word, negated word": () => ({ query: `${any()} -${any()}` }),
    alternatives: () => ({ query: `${mid()}|${any()}|${rare()}` }),
    "status and tag": () => ({ query: `status:${pick(STATUSES)} tags:${pick(TAGS)}` }),
    "status, type and word": () => ({ query: `status:${pick(STATUSES)} type:${pick(TYPES)} ${any()}` }),
    status: () => ({ query: `status:${pick(STATUSES)}` }),
    "status, sorted by date": () => ({ query: `status:${pick(STATUSES)}`, sort_by: "modified" }),
    "word, sorted by date": () => ({ query: any(), sort_by: "modified" }),
  };
}

const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * part)] ?? Number.NaN;

export async function runSearch({ tickets, turns = 60 }: SearchOptions): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-search-"));
  const server = await startPostgres({ fsync: true });
  try {
    const filename = join(folder, "tickets.db");
    const sqlite = await measure("SQLite", sqliteStorage({ filename }), { tickets, turns }, { p50: 4, p99: 20 });
    const megabytes = statSync(filename).size / 1_048_576;
    const settle = async (): Promise<void> => {
      // A server does this by itself once tables have grown.
      const client = new pg.Client({ connectionString: server.url });
      await client.connect();
      await client.query("vacuum analyze");
      await client.end();
    };
    const storage = pgStorage({ connectionString: server.url });
    const postgres = await measure("PostgreSQL", storage, { tickets, turns, settle }, { p50: 30, p99: 60 });
    return [...sqlite, { name: "size of the file, SQLite", value: megabytes, unit: "MB" }, ...postgres];
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Task extends Required<SearchOptions> {
  readonly settle?: () => Promise<void>;
}

async function measure(name: string, storage: Storage, task: Task, budget: Budget): Promise<Row[]> {
  const engine = createSignalbox({
    storage,
    secretKey: "a key for benchmarks only",
    random: systemRandom(),
    blobs: memoryBlobStore(),
  });
  await engine.start();
  try {
    for (const id of TAGS) await engine.api.createTag({ id, title: id });
    const make = createTickets();
    const { texts, perSecond } = await fill(storage, make, task.tickets);
    await task.settle?.();
    const rows: Row[] = [{ name: `tickets indexed ${BATCH} at a time, ${name}`, value: perSecond, unit: "tickets/s" }];
    const [p50s, p99s]: [number[], number[]] = [[], []];
    for (const [label, ask] of Object.entries(classesOf(texts))) {
      const { times, cpuMicros } = await time(task.turns, () => engine.api.searchTickets({ ...ask(), limit: 20 }));
      p50s.push(quantile(times, 0.5));
      p99s.push(quantile(times, 0.99));
      rows.push({ name: `${label}, p50, ${name}`, value: quantile(times, 0.5), unit: "ms", cpuMicros });
      rows.push({ name: `${label}, p99, ${name}`, value: quantile(times, 0.99), unit: "ms" });
    }
    rows.push(...(await timeAfterWrites(engine.api, storage, name, make(task.tickets + 1))));
    rows.push(
      verdict(`P20 budget of ${budget.p50} ms / page and total, slowest class, p50, ${name}`, budget.p50, p50s),
    );
    rows.push(
      verdict(`P20 budget of ${budget.p99} ms / page and total, slowest class, p99, ${name}`, budget.p99, p99s),
    );
    return [...rows, ...(await measureWrites(engine.api, name, make, task.tickets))];
  } finally {
    await engine.stop();
  }
}

const verdict = (name: string, limit: number, values: readonly number[]): Row => {
  const value = Math.max(...values);
  return { name, value, unit: "ms", ratio: limit / value, floor: 1, goal: 1 };
};

async function fill(storage: Storage, make: (num: number) => BenchTicket, tickets: number) {
  const texts: string[] = [];
  const begun = performance.now();
  for (let from = 1; from <= tickets; from += BATCH)
    await storage.write(async (tx) => {
      for (let num = from; num < Math.min(from + BATCH, tickets + 1); num++) {
        const ticket = make(num);
        if (num % 400 === 0) texts.push(ticket.body);
        // Numbers start far above the engine's own, which start at 1.
        await tx.collection(ticketCollection).insert({ ...ticket, num: 10_000_000 + num } as never);
      }
    });
  return { texts, perSecond: (tickets / (performance.now() - begun)) * 1000 };
}

async function time(turns: number, call: () => Promise<unknown>): Promise<{ times: number[]; cpuMicros: number }> {
  for (let turn = 0; turn < WARM_UP; turn++) await call();
  const times: number[] = [];
  const cpu = process.cpuUsage();
  for (let turn = 0; turn < turns; turn++) {
    const begun = performance.now();
    await call();
    times.push(performance.now() - begun);
  }
  const { user, system } = process.cpuUsage(cpu);
  return { times, cpuMicros: (user + system) / turns };
}

interface Searcher {
  searchTickets(input: Ask & { limit: number }): Promise<unknown>;
}

const COLD_TURNS = 30;

/** Time of the most expensive search after a write to the index, which invalidates the cached totals. */
async function timeAfterWrites(
  api: Searcher,
  storage: Storage,
  name: string,
  ticket: BenchTicket,
): Promise<readonly Row[]> {
  const times: number[] = [];
  for (let turn = 0; turn < COLD_TURNS; turn++) {
    const fresh = { ...ticket, id: `${ticket.id}${turn}`, num: 20_000_000 + turn };
    await storage.write((tx) => tx.collection(ticketCollection).insert(fresh as never));
    const begun = performance.now();
    await api.searchTickets({ query: wordOf(turn % 3), limit: 20 });
    times.push(performance.now() - begun);
  }
  const value = quantile(times, 0.5);
  return [{ name: `word in nearly all, after a write, p50, ${name}`, value, unit: "ms" }];
}

interface Writer {
  createTicket(input: never): Promise<unknown>;
  updateTicket(input: never): Promise<unknown>;
}

/** Through the operations, with history, activity and queued mails, one transaction each. */
async function measureWrites(
  api: Writer,
  name: string,
  make: (num: number) => BenchTicket,
  tickets: number,
): Promise<Row[]> {
  const all = Array.from({ length: SINGLES }, (_unused, n) => {
    const {
      num: _num,
      created: _created,
      modified: _modified,
      changes: _changes,
      category: _category,
      ...ticket
    } = make(tickets + n + 1);
    return ticket;
  });
  const created = await rate(all, (ticket) => api.createTicket(ticket as never));
  const updated = await rate(all, ({ id, body }) =>
    api.updateTicket({ id, body: `${String(body)} ${wordOf(7)}`, status: "closed" } as never),
  );
  return [
    { name: `create_ticket among ${tickets.toLocaleString("en-US")}, ${name}`, ...created, unit: "calls/s" },
    { name: `update_ticket of body and status, ${name}`, ...updated, unit: "calls/s" },
  ];
}

async function rate<T>(
  items: readonly T[],
  call: (item: T) => Promise<unknown>,
): Promise<{ value: number; cpuMicros: number }> {
  const waiting = [...items];
  const cpu = process.cpuUsage();
  const begun = performance.now();
  const work = async (): Promise<void> => {
    for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) await call(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const { user, system } = process.cpuUsage(cpu);
  return { value: (items.length / (performance.now() - begun)) * 1000, cpuMicros: (user + system) / items.length };
}
