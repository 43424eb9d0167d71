import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPostgres } from "./postgres.ts";
import { type Arm, type Comparison, type RaceOptions, race, type Turn } from "./race.ts";
import { median, type Row } from "./report.ts";

/** Order to a contender: many concurrent jobs for a while, then some one after another. */
export interface JobsOrder {
  readonly ms: number;
  readonly underWay: number;
  readonly launches: number;
}
export interface JobsResult {
  readonly done: number;
  readonly tookMs: number;
  /** Processor time of the whole process. */
  readonly cpuMicros: number;
  /** Milliseconds from the request to the start of the handler. */
  readonly p50Ms: number;
  readonly p99Ms: number;
}
export type JobsReport = JobsResult | { readonly ready: true };

/** Jobs requested but not ended, over all nodes. */
const UNDER_WAY = 200;
/** Launches per measurement of latency. */
const LAUNCHES = 300;
const LATENCY_RUNS = 5;

interface Contestant {
  readonly kind: string;
  readonly place: "sqlite" | "postgres";
  readonly nodes: number;
  /** Floor and goal of jobs per second, if any. */
  readonly floor?: number;
  readonly goal?: number;
  /** Floor and goal of the median latency in milliseconds. */
  readonly floorMs?: number;
  readonly goalMs?: number;
}

const GRAPHILE = "graphile-worker, batches, deletes";
const BOSS = "pg-boss, batches";
const FUNCTIONS_PG = "host functions, PostgreSQL";

const CONTESTANTS: Readonly<Record<string, Contestant>> = {
  "host functions, SQLite": {
    ...{ kind: "functions-sqlite", place: "sqlite", nodes: 1 },
    ...{ floor: 3000, goal: 10_000, floorMs: 1, goalMs: 0.5 },
  },
  "satellites, SQLite": { kind: "satellites-sqlite", place: "sqlite", nodes: 1 },
  [FUNCTIONS_PG]: {
    ...{ kind: "functions-postgres", place: "postgres", nodes: 1 },
    ...{ floor: 1500, goal: 5000, floorMs: 2 },
  },
  "host functions, PostgreSQL, 2 nodes": { kind: "functions-postgres", place: "postgres", nodes: 2 },
  "satellites, PostgreSQL": { kind: "satellites-postgres", place: "postgres", nodes: 1 },
  "satellites, PostgreSQL, 2 nodes": { kind: "satellites-postgres", place: "postgres", nodes: 2 },
  [GRAPHILE]: { kind: "graphile", place: "postgres", nodes: 1 },
  [BOSS]: { kind: "boss", place: "postgres", nodes: 1 },
};

const COMPARISONS: readonly Comparison[] = [
  { arm: FUNCTIONS_PG, anchor: GRAPHILE },
  { arm: FUNCTIONS_PG, anchor: BOSS },
  { arm: "host functions, SQLite", anchor: GRAPHILE },
];

type Ask = (order: JobsOrder) => Promise<JobsResult>;

async function startNode(stack: AsyncDisposableStack, kind: string, place: string): Promise<Ask> {
  const child: ChildProcess = fork(new URL("./jobs-contender.ts", import.meta.url), [kind, place]);
  const exit = once(child, "exit");
  const ended = exit.then(([code]) => Promise.reject(new Error(`${kind} ended with ${code}`)));
  // The next caller reports it.
  ended.catch(() => undefined);
  stack.defer(async () => {
    if (child.connected) child.disconnect();
    await exit;
  });
  await Promise.race([once(child, "message"), ended]);
  return async (order) => {
    const answer = once(child, "message", { signal: AbortSignal.timeout(120_000) });
    child.send(order);
    return ((await Promise.race([answer, ended])) as [JobsResult])[0];
  };
}

interface JobsArm extends Arm {
  /** Milliseconds from the request to the start: median and 99th percentile. */
  latency(): Promise<JobsResult>;
}

async function openArm(
  stack: AsyncDisposableStack,
  name: string,
  { kind, nodes }: Contestant,
  place: string,
): Promise<JobsArm> {
  const asks: Ask[] = [];
  for (let node = 0; node < nodes; node++) asks.push(await startNode(stack, kind, place));
  const all = (order: JobsOrder): Promise<JobsResult[]> => Promise.all(asks.map((ask) => ask(order)));
  return {
    name,
    unit: "jobs/s",
    async work(ms): Promise<Turn> {
      const results = await all({ ms, underWay: UNDER_WAY / nodes, launches: 0 });
      const done = results.reduce((sum, result) => sum + result.done, 0);
      const cpuMicros = results.reduce((sum, result) => sum + result.cpuMicros, 0);
      const perSecond = results.reduce((sum, result) => sum + (result.done * 1000) / result.tookMs, 0);
      return { perSecond, cpuMicros: cpuMicros / done };
    },
    async latency() {
      const [first] = asks;
      if (!first) throw new Error(`${name} has no node`);
      return first({ ms: 0, underWay: 0, launches: LAUNCHES });
    },
  };
}

function floorRows(rows: readonly Row[], wanted: Readonly<Record<string, Contestant>>): Row[] {
  return Object.entries(wanted).flatMap(([name, { floor, goal }]) => {
    const value = rows.find((row) => row.name === name)?.value;
    if (floor === undefined || value === undefined) return [];
    const bounds = { floor: 1, ...(goal === undefined ? {} : { goal: goal / floor }) };
    return [{ name: `P12 ${name} / ${floor}`, value, unit: "jobs/s", ratio: value / floor, ...bounds }];
  });
}

async function latencyRows(arms: readonly JobsArm[], runs: number): Promise<Row[]> {
  const results = new Map(arms.map(({ name }): [string, JobsResult[]] => [name, []]));
  // The first run warms up.
  for (let run = 0; run <= runs; run++)
    for (const arm of arms) {
      const result = await arm.latency();
      if (run > 0) results.get(arm.name)?.push(result);
    }
  return arms.flatMap(({ name }) => {
    const taken = results.get(name) ?? [];
    const p50 = median(taken.map(({ p50Ms }) => p50Ms));
    const p99 = median(taken.map(({ p99Ms }) => p99Ms));
    const { floorMs, goalMs } = CONTESTANTS[name] ?? {};
    const bounds =
      floorMs === undefined
        ? {}
        : { ratio: floorMs / p50, floor: 1, ...(goalMs === undefined ? {} : { goal: floorMs / goalMs }) };
    const label = floorMs === undefined ? "" : `P13 budget of ${floorMs} ms / `;
    return [
      { name: `${label}launch, p50, ${name}`, value: p50, unit: "ms", ...bounds },
      { name: `launch, p99, ${name}`, value: p99, unit: "ms" },
    ];
  });
}

/** `only` selects the contestants whose name it matches. */
export interface JobsOptions extends RaceOptions {
  readonly only?: RegExp;
}

/**
 * Jobs that do nothing: throughput from the request to the stored end with up to 200 under way, and latency from the request to
 * the start of the handler, one at a time. Durable on all sides: SQLite with `synchronous=FULL`, PostgreSQL with fsync.
 */
export async function runJobs({ only = /(?:)/, ...options }: JobsOptions = {}): Promise<Row[]> {
  await using stack = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "signalbox-jobs-"));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const wanted = Object.fromEntries(Object.entries(CONTESTANTS).filter(([name]) => only.test(name)));
  const isPostgres = Object.values(wanted).some(({ place }) => place === "postgres");
  const database = isPostgres ? await openPostgres(stack, "jobs") : undefined;
  const arms: JobsArm[] = [];
  for (const [name, contestant] of Object.entries(wanted)) {
    const file = join(mkdtempSync(join(folder, "db-")), "bench.db");
    arms.push(
      await openArm(stack, name, contestant, contestant.place === "sqlite" ? file : ((await database?.()) ?? "")),
    );
  }
  const rows = await race(arms, COMPARISONS, { turns: 1, turnMs: 3000, warmupMs: 10_000, ...options });
  const latencies = await latencyRows(arms, Math.min(LATENCY_RUNS, options.runs ?? LATENCY_RUNS));
  return [...rows, ...floorRows(rows, wanted), ...latencies];
}
