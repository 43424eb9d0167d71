import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Storage } from "@signalbox/core/storage";
import { sqliteStorage } from "@signalbox/storage-sqlite";
import type { SeriesHead } from "../packages/core/src/fleet/monitors/model.ts";
import { historicalRange, rowsOf } from "../packages/core/src/fleet/monitors/rules/timeline/timeline-rows.ts";
import { TIDY_STEP } from "../packages/core/src/fleet/monitors/services/timeline/tidying.ts";
import { timelineReader } from "../packages/core/src/fleet/monitors/services/timeline/timeline-reader.ts";
import { timelineWriter } from "../packages/core/src/fleet/monitors/services/timeline/timeline-writer.ts";
import { median, type Row } from "./report.ts";
import { createHost, createRandom, MONITORS, monitors } from "./timeline-data.ts";

export interface TimelineOptions {
  readonly servers: number;
  readonly hours: number;
  /** Minutes written to the row-per-sample table, which is far slower. */
  readonly baselineMinutes?: number;
}

/** Minutes that the row-per-sample table already holds. */
const BASELINE_HISTORY = 180;
const START = 29_800_800 * 60;
const counters = monitors.filter((_id, place) => place % 3 === 1);

interface Spent {
  readonly wallMs: number;
  readonly cpuMs: number;
}
async function spend(work: () => unknown): Promise<Spent> {
  const cpu = process.cpuUsage();
  const begun = performance.now();
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { wallMs: performance.now() - begun, cpuMs: (user + system) / 1000 };
}
const total = (all: readonly Spent[]): Spent => ({
  wallMs: all.reduce((sum, { wallMs }) => sum + wallMs, 0),
  cpuMs: all.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
});

/** One row per sample, the common design: one transaction and one prepared statement per minute. */
async function runBaseline(folder: string, servers: number, minutes: number): Promise<Spent> {
  const db = new DatabaseSync(join(folder, "baseline.db"));
  db.exec("pragma journal_mode = wal; pragma synchronous = normal");
  db.exec(`create table samples (server integer, monitor integer, minute integer, value real,
    primary key (server, monitor, minute)) without rowid`);
  // Hours of samples first, so that every series has its own pages, as in a table that has been in use.
  db.exec(`with recursive servers(s) as (select 0 union all select s + 1 from servers where s < ${servers - 1}),
      monitors(m) as (select 0 union all select m + 1 from monitors where m < ${MONITORS - 1}),
      minutes(n) as (select ${-BASELINE_HISTORY} union all select n + 1 from minutes where n < -1)
    insert into samples select s, m, n, s * 0.01 + n from servers cross join monitors cross join minutes`);
  const insert = db.prepare("insert into samples values (?, ?, ?, ?)");
  const hosts = Array.from({ length: servers }, (_unused, seed) => createHost(seed));
  const spent: Spent[] = [];
  for (let minute = 0; minute < minutes; minute++) {
    const readings = hosts.map((host) => Object.values(host()));
    spent.push(
      await spend(() => {
        db.exec("begin immediate");
        for (const [server, values] of readings.entries())
          for (const [monitor, value] of values.entries()) insert.run(server, monitor, minute, value);
        db.exec("commit");
      }),
    );
  }
  db.close();
  return total(spent);
}

const serverName = (place: number): string => `server_${String(place).padStart(6, "0")}`;

/** Returns the milliseconds of each step. */
async function tidyAll(storage: Storage, system: string, below: number): Promise<number[]> {
  const steps: number[] = [];
  for (let isMore = true; isMore; ) {
    const begun = performance.now();
    isMore = await storage.write((tx) => tx.timeline.tidy(system, below, TIDY_STEP));
    steps.push(performance.now() - begun);
  }
  return steps;
}

interface Fill {
  readonly write: Spent;
  readonly tidy: Spent;
  readonly stepsMs: readonly number[];
}

/** Every server reports each minute; one transaction per minute, and each completed hour is packed. */
async function fill(storage: Storage, { servers, hours, rates }: TimelineOptions & { rates: boolean }): Promise<Fill> {
  const hosts = Array.from({ length: servers }, (_unused, seed) => createHost(seed));
  const heads: SeriesHead[] = hosts.map(() => ({ minute: undefined }));
  let before: Record<string, number>[] = [];
  const [writes, tidies]: [Spent[], Spent[]] = [[], []];
  const stepsMs: number[] = [];
  for (let minute = 0; minute < hours * 60; minute++) {
    const date = START + minute * 60;
    const readings = hosts.map((host) => host());
    const minutes = readings.map((values, place) => ({
      server: serverName(place),
      head: heads[place] ?? { minute: undefined },
      sample: { date, monitors: values, deltas: rates ? ratesOf(values, before[place]) : {}, alerts: {} },
    }));
    writes.push(
      await spend(async () => {
        const next = await storage.write((tx) => timelineWriter.appendMany(tx, minutes));
        for (const [place, head] of next.entries()) heads[place] = head;
      }),
    );
    before = readings;
    if (minute % 60 !== 5) continue;
    tidies.push(
      await spend(async () => {
        for (const [system, interval] of [
          ["hourly", 60],
          ["monthly", 3600],
          ["yearly", 43_200],
        ] as const)
          stepsMs.push(...(await tidyAll(storage, system, Math.floor(date / interval))));
      }),
    );
  }
  return { write: total(writes), tidy: total(tidies), stepsMs };
}

const ratesOf = (values: Record<string, number>, before?: Record<string, number>): Record<string, number> =>
  Object.fromEntries(counters.map((id) => [id, Math.floor(((values[id] ?? 0) - (before?.[id] ?? 0)) / 60)]));

/** Bytes of all pages in use. */
function usedBytes(filename: string): number {
  const db = new DatabaseSync(filename, { readOnly: true });
  const read = (name: string): number => Number(Object.values(db.prepare(`pragma ${name}`).get() ?? {})[0]);
  const bytes = (read("page_count") - read("freelist_count")) * read("page_size");
  db.close();
  return bytes;
}

async function openFile(filename: string): Promise<Storage> {
  const storage = sqliteStorage({ filename, durability: "process" });
  await storage.open([]);
  return storage;
}

const known = new Map(monitors.map((id) => [id, { delta: false, whole: false }]));

interface Query {
  readonly server: string;
  readonly system: "hourly" | "yearly";
  readonly date: number;
  readonly limit: number;
}

/** Reads rows as `get_historical_monitor_data` does. */
async function query(storage: Storage, { server, system, date, limit }: Query): Promise<void> {
  const rows = await storage.read(async (tx) => {
    const reader = timelineReader(tx, server);
    const range = historicalRange(system, await reader.extent(system), { date, limit });
    return range ? rowsOf(await reader.points(system, range.from, range.to), range, known) : [];
  });
  if (rows.length !== limit || rows.some((row) => row["count"] === undefined))
    throw new Error(`${rows.length} rows in place of ${limit}`);
}

const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * part)] ?? Number.NaN;

/** Fills two years of half-days for some servers. */
async function fillYears(storage: Storage, servers: number): Promise<void> {
  for (let place = 0; place < servers; place++) {
    const host = createHost(place);
    const first = Math.floor(START / 43_200);
    const entries = Array.from({ length: 1460 }, (_unused, day) => {
      const totals = host();
      const epoch_div = first - 1460 + day;
      const point = { epoch_div, date: epoch_div * 43_200, count: 720, totals };
      return { server: serverName(place), system: "yearly", point };
    });
    await storage.write((tx) => tx.timeline.putMany(entries));
  }
  await tidyAll(storage, "yearly", Math.floor(START / 43_200));
}

const budget = (name: string, value: number, unit: string, limits: { floor?: number; goal: number }): Row => ({
  name,
  value,
  unit,
  ratio: (limits.floor ?? limits.goal) / value,
  ...(limits.floor === undefined ? {} : { floor: 1 }),
  goal: (limits.floor ?? limits.goal) / limits.goal,
});

export async function runTimeline({ servers, hours, baselineMinutes = 10 }: TimelineOptions): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-bench-"));
  try {
    const baseline = await runBaseline(folder, servers, baselineMinutes);
    const written = await measureWrites(join(folder, "history.db"), { servers, hours, rates: false });
    const rated = await measureWrites(join(folder, "rates.db"), { servers: servers / 4, hours: 8, rates: true });
    const reads = await measureReads(join(folder, "history.db"), servers, hours);
    return rowsFor({ servers, hours, baselineMinutes }, baseline, written, rated, reads);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureWrites(filename: string, options: TimelineOptions & { rates: boolean }) {
  const storage = await openFile(filename);
  const filled = await fill(storage, options);
  await storage.close();
  const again = await openFile(filename);
  await tidyAll(again, "hourly", (START + options.hours * 3600) / 60);
  await again.close();
  const empty = `${filename}.empty`;
  await (await openFile(empty)).close();
  const bytes = usedBytes(filename) - usedBytes(empty);
  return { ...filled, bytes: bytes / (options.servers * options.hours * 60 * MONITORS) };
}

const TURNS = 300;
const WARM_UP = 30;

async function measureReads(filename: string, servers: number, hours: number) {
  const storage = await openFile(filename);
  await fillYears(storage, Math.min(20, servers));
  const random = createRandom(7);
  const from = START + Math.max(0, hours - 24) * 3600;
  const [days, years]: [number[], number[]] = [[], []];
  const cpu = { days: 0, years: 0 };
  const few = Math.min(20, servers);
  for (let turn = 0; turn < TURNS + WARM_UP; turn++) {
    const server = serverName(Math.floor(random() * servers));
    const day = await spend(() => query(storage, { server, system: "hourly", date: from, limit: 1440 }));
    const date = START - (400 + Math.floor(random() * 1000)) * 43_200;
    const old = serverName(Math.floor(random() * few));
    const year = await spend(() => query(storage, { server: old, system: "yearly", date, limit: 365 }));
    if (turn < WARM_UP) continue;
    days.push(day.wallMs);
    years.push(year.wallMs);
    cpu.days += (day.cpuMs * 1000) / TURNS;
    cpu.years += (year.cpuMs * 1000) / TURNS;
  }
  await storage.close();
  return { days, years, cpu };
}

type Written = Awaited<ReturnType<typeof measureWrites>>;
type Reads = Awaited<ReturnType<typeof measureReads>>;

function rowsFor(
  { servers, hours, baselineMinutes }: Required<TimelineOptions>,
  baseline: Spent,
  written: Written,
  rated: Written,
  { days, years, cpu }: Reads,
): Row[] {
  const samples = servers * hours * 60 * MONITORS;
  const perRow = servers * baselineMinutes * MONITORS;
  const spent = total([written.write, written.tidy]);
  const perSecond = (samples / spent.wallMs) * 1000;
  const anchor = (perRow / baseline.wallMs) * 1000;
  return [
    { name: "one row per sample", value: anchor, unit: "samples/s", cpuMicros: (baseline.cpuMs / perRow) * 1000 },
    {
      name: "P17 history, packing included / one row per sample",
      value: perSecond,
      unit: "samples/s",
      cpuMicros: (spent.cpuMs / samples) * 1000,
      ratio: perSecond / anchor,
      byCpu: baseline.cpuMs / perRow / (spent.cpuMs / samples),
      goal: 40,
    },
    {
      name: "a server's minute, written",
      value: (samples / MONITORS / written.write.wallMs) * 1000,
      unit: "minutes/s",
      cpuMicros: (written.write.cpuMs / samples) * MONITORS * 1000,
    },
    {
      name: "a server's hour, packed",
      value: (servers * hours * 1000) / written.tidy.wallMs,
      unit: "hours/s",
      cpuMicros: (written.tidy.cpuMs / (servers * hours)) * 1000,
    },
    budget("budget of 10 ms / a step of packing with its commit, p99", quantile(written.stepsMs, 0.99), "ms", {
      goal: 10,
    }),
    budget("P18 budget of 1.7 bytes / sample on disk", written.bytes, "bytes", { floor: 1.7, goal: 1.6 }),
    { name: "the same with ten rates beside the thirty", value: rated.bytes, unit: "bytes" },
    {
      ...budget("P19 budget of 6 ms / a day of 1,440 points, p50", median(days), "ms", { floor: 6, goal: 4 }),
      cpuMicros: cpu.days,
    },
    budget("P19 budget of 20 ms / a day of 1,440 points, p99", quantile(days, 0.99), "ms", { goal: 20 }),
    {
      ...budget("P19 budget of 2 ms / 365 points of half-days, p50", median(years), "ms", { goal: 2 }),
      cpuMicros: cpu.years,
    },
  ];
}
