import type { Cradle } from "../../../kernel/container.ts";
import { createDays } from "../../../lib/time/days.ts";
import { nextTurn } from "../../../lib/turns/gather-more.ts";
import type { ReadTx, WriteTx } from "../../../ports/storage/storage.ts";
import { below } from "../../../search/ast.ts";
import { jobStatsCollection } from "../collection.ts";
import type { FinalJob, Job, JobStatsRow } from "../model.ts";
import { inPeriod, treeOf } from "./rules/periods.ts";
import {
  addCounts,
  asCounted,
  type Counts,
  changedCounts,
  conditionCounts,
  endCounts,
  sectionsOf,
  sumsOf,
} from "./rules/stats.ts";
import { closePeriod, createStatsHistory, cutAt, periodOf, STATS_LOCK, type StatsHistory } from "./stats-history.ts";

/**
 * Daily counters of jobs (docs/contract/jobs.md#statistics). Kept in memory and written once a second, so that thousands of jobs
 * a second do not contend for one row; a node that is killed loses the counts of its last second.
 */
export interface JobStats {
  /** Counts the start of a job. */
  started(job: Job): void;
  /** Counts the end of a job. */
  ended(job: FinalJob): void;
  /** Adds one to other counters of today, by name: "ticket_create"; with sections, like "channels/c1", only there. */
  count(names: readonly string[], sections?: readonly string[]): void;
  /** Adds numbers to other counters of today. */
  add(counts: Counts): void;
  /** Removes the counts of a job that this transaction deletes, if it counts in the current period. */
  forget(tx: WriteTx, job: FinalJob): Promise<void>;
  /** The counters of a local day ("2026-11-21", absent = today): "" = the whole installation, or a section like "events/e1". */
  read(tx: ReadTx, section: string, day?: string): Promise<Counts>;
  /** The sums of the installation since the day began or was cut, in the form of the history. */
  sums(tx: ReadTx): Promise<Record<string, unknown>>;
  /** The local day of a time in Unix seconds. */
  dayOf(time: number): string;
  /** Writes the waiting counts. */
  flush(): Promise<void>;
  /** True = no counts wait for `flush`. */
  isIdle(): boolean;
  /** Counting periods, newest first: days, or the parts into which `reset` has cut them. */
  readonly history: StatsHistory;
  /** Closes the current period of today and begins an empty one. */
  reset(): Promise<void>;
  /** Deletes counters of days that are no longer needed. */
  prune(signal: AbortSignal): Promise<void>;
}

const KEEP_DAYS = 400;
const DAY = 86_400;
const PAGE = 500;
/** Most rows per transaction. */
const MAX_ROWS = 500;

type Deps = Pick<Cradle, "clock" | "config" | "log" | "snapshot" | "transact">;

export function createStats(deps: Deps): JobStats {
  const { clock, config } = deps;
  const dayOf = createDays(config);
  const today = (): string => dayOf(clock.now());
  const pad = createPad(deps);
  const addToday = (sections: readonly string[], counts: Counts): void => pad.add(rowIds(today(), sections), counts);

  function count(job: FinalJob, factor: number): void {
    if (!endCounts(job)) return;
    const day = dayOf(job.completed ?? clock.now());
    pad.add(rowIds(day, ["", ...sectionsOf(job)]), addCounts({}, conditionCounts(asCounted(job)), factor));
    pad.add(rowIds(day, [""]), addCounts({}, sumsOf(job), factor));
  }

  const read: JobStats["read"] = async (tx, section, day = today()) => {
    const [id = ""] = rowIds(day, [section]);
    const stored = await tx.collection(jobStatsCollection).get(inPeriod(id, await periodOf(tx, day)));
    return changedCounts(stored?.counts ?? {}, pad.waiting(id));
  };

  return {
    dayOf,
    started: (job) => addToday(["", ...sectionsOf(job)], { job_start: 1 }),
    ended: (job) => count(job, 1),
    count: (names, sections = [""]) => addToday(sections, oneEach(names)),
    add: (counts) => addToday([""], counts),
    async forget(tx, job) {
      const { completed = 0 } = job;
      const day = today();
      if (dayOf(completed) === day && completed >= (await cutAt(tx, day))) tx.afterCommit(() => count(job, -1));
    },
    sums: async (tx) => treeOf([["", await read(tx, "")]]),
    read,
    history: createStatsHistory({ clock, snapshot: deps.snapshot, dayOf, waiting: pad.all, still: pad.still }),
    async reset() {
      await pad.flush();
      await deps.transact(({ tx }) => closePeriod(tx, today(), clock.now()));
    },
    flush: pad.flush,
    isIdle: pad.isEmpty,
    prune: (signal) => prune(deps, dayOf(clock.now() - KEEP_DAYS * DAY), signal),
  };
}

const oneEach = (names: readonly string[]): Counts => Object.fromEntries(names.map((name) => [name, 1]));

const rowIds = (day: string, sections: readonly string[]): string[] => sections.map((section) => `${day}/${section}`);

/** Most attempts to read stored and waiting counters, repeated when a write moves some of them from waiting to stored. */
const MAX_READINGS = 3;

type Rows = readonly (readonly [row: string, counts: Counts])[];

/** Counts that have not been written, by row. */
function createPad({ clock, log, transact }: Pick<Cradle, "clock" | "log" | "transact">) {
  let pending = new Map<string, Record<string, number>>();
  /** Rows of writes in progress; `ended` counts the writes that have ended. */
  const flying = new Set<Rows>();
  let ended = 0;
  const all = (): Rows => [...[...flying].flat(), ...pending];

  /** False when the storage refused the write. */
  async function writeSome(): Promise<boolean> {
    const rows = [...pending].slice(0, MAX_ROWS);
    pending = new Map([...pending].slice(MAX_ROWS));
    flying.add(rows);
    const over = (): void => {
      if (flying.delete(rows)) ended += 1;
    };
    try {
      await transact(({ tx }) => write(tx, rows, { now: Math.floor(clock.now()), over }));
      return true;
    } catch (error) {
      for (const [id, counts] of rows) addTo(pending, [id], counts);
      log.warn({ error }, "Statistics of jobs could not be written; they are kept for the next second");
      return false;
    } finally {
      over();
    }
  }

  return {
    add: (ids: readonly string[], counts: Counts): void => addTo(pending, ids, counts),
    all,
    flush: (): Promise<void> => writeAll(Math.ceil(pending.size / MAX_ROWS), writeSome),
    isEmpty: () => pending.size === 0,
    waiting: (id: string): Counts => sumOf(all(), id),
    still: createStill(() => ended),
  };
}

const sumOf = (rows: Rows, id: string): Counts =>
  rows.reduce((sum, [row, counts]) => (row === id ? addCounts(sum, counts) : sum), {});

/** More than one transaction's worth of counts must not be lost when the engine ends. */
async function writeAll(transactions: number, writeSome: () => Promise<boolean>): Promise<void> {
  for (let left = transactions; left > 0 && (await writeSome()); left--) await nextTurn();
}

/**
 * Runs a read of stored rows and then of waiting ones. Does not wait for a write, which may itself wait for the reader's host.
 */
const createStill =
  (ended: () => number) =>
  async <R>(work: () => Promise<R>): Promise<R> => {
    for (let readings = 1; ; readings++) {
      const before = ended();
      const result = await work();
      if (ended() === before || readings === MAX_READINGS) return result;
    }
  };

function addTo(rows: Map<string, Record<string, number>>, ids: readonly string[], counts: Counts): void {
  const entries = Object.entries(counts);
  for (const id of ids) {
    const row = rows.get(id);
    if (row) for (const [name, count] of entries) row[name] = (row[name] ?? 0) + count;
    else rows.set(id, { ...counts });
  }
}

interface Writing {
  /** Unix seconds. */
  readonly now: number;
  /** Called on commit: the counts are no longer waiting. */
  readonly over: () => void;
}

async function write(tx: WriteTx, rows: Rows, { now, over }: Writing): Promise<void> {
  tx.afterCommit(over);
  // Concurrent nodes wait for this lock instead of losing a revision race.
  await tx.lock(STATS_LOCK);
  const stats = tx.collection(jobStatsCollection);
  const periods = new Map<string, number>();
  const changes = new Map<string, Counts>();
  for (const [row, counts] of rows) {
    const day = row.slice(0, row.indexOf("/"));
    const period = periods.get(day) ?? (await periodOf(tx, day));
    periods.set(day, period);
    changes.set(inPeriod(row, period), counts);
  }
  const known = new Set((await stats.getMany([...changes.keys()])).map((stored) => stored?.id));
  const made: JobStatsRow[] = [];
  for (const [id, change] of changes)
    if (known.has(id))
      await stats.update(id, (stored) => ({ ...stored, counts: changedCounts(stored.counts, change) }));
    else made.push({ id, counts: changedCounts({}, change), ...(id.endsWith("/") ? { epoch: now } : {}) });
  if (made.length > 0) await stats.insertMany(made);
}

async function prune({ transact }: Pick<Cradle, "transact">, oldest: string, signal: AbortSignal): Promise<void> {
  const old = below("id", oldest);
  for (let found = PAGE; found === PAGE && !signal.aborted; )
    found = await transact(async ({ tx }) => {
      const stats = tx.collection(jobStatsCollection);
      const { rows } = await stats.find(old, { sortBy: "id", limit: PAGE });
      for (const { id } of rows) await stats.delete(id);
      return rows.length;
    });
}
