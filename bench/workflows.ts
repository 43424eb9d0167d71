import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPostgres } from "./postgres.ts";
import type { Row } from "./report.ts";

/** What one measurement is about: a workflow of so many sub-jobs, or as many plain jobs. */
export interface FlowOrder {
  readonly shape: FlowShape;
  readonly size: number;
  /** Plain jobs that are asked for and have not ended, at a time. */
  readonly underWay?: number;
}
export type FlowShape = "plain" | "split" | "multiplex" | "chain";

export interface FlowReport {
  readonly jobs: number;
  /** Of the whole process. */
  readonly cpuMicros: number;
  /** Bytes that the storage wrote; 0 where nobody counts them. */
  readonly written: number;
  /** Processor time that the loop spent in one go, the longest. */
  readonly pieceMaxMs: number;
}

/** Sub-jobs may cost so much of a plain job at most. */
const MOST_COST = 1.3;
/** Bytes of a sub-job among 10,000 against one among 100. */
const MOST_GROWTH = 2;
/** What the loop may do in one go. */
const MOST_PIECE_MS = 10;

const SIZES: readonly FlowOrder[] = [
  { shape: "split", size: 10_000 },
  { shape: "multiplex", size: 1000 },
  { shape: "chain", size: 1000 },
];

type Ask = (order: FlowOrder) => Promise<FlowReport>;

async function startSite(stack: AsyncDisposableStack, place: string, servers: number): Promise<Ask> {
  const child = fork(new URL("./workflows-site.ts", import.meta.url), [place, String(servers)]);
  const exit = once(child, "exit");
  const ended = exit.then(([code]) => Promise.reject(new Error(`The site over ${place} ended with ${code}`)));
  // Noticed by the next caller.
  ended.catch(() => undefined);
  stack.defer(async () => {
    if (child.connected) child.disconnect();
    await exit;
  });
  await Promise.race([once(child, "message"), ended]);
  return async (order) => {
    const answer = once(child, "message", { signal: AbortSignal.timeout(900_000) });
    child.send(order);
    return ((await Promise.race([answer, ended])) as [FlowReport])[0];
  };
}

const within = (most: number, name: string, value: number, unit: string): Row => ({
  ...{ name, value, unit, ratio: most / value, floor: 1 },
});

async function rowsOf(ask: Ask, storage: string): Promise<Row[]> {
  const rows: Row[] = [];
  // Warms up what the plain jobs of the first comparison would pay for.
  await ask({ shape: "plain", size: 1000 });
  await ask({ shape: "split", size: 500 });
  const small = await ask({ shape: "split", size: 100 });
  for (const order of SIZES) {
    const { shape, size } = order;
    const before = await ask({ shape: "plain", size });
    const flow = await ask(order);
    const after = await ask({ shape: "plain", size });
    const name = `${shape} of ${size.toLocaleString("en-US")}, ${storage}`;
    const plain = (before.cpuMicros / before.jobs + after.cpuMicros / after.jobs) / 2;
    const each = flow.cpuMicros / flow.jobs;
    rows.push({ name: `plain jobs beside it, ${name}`, value: 1e6 / plain, unit: "jobs/cpu s", cpuMicros: plain });
    rows.push({ ...within(MOST_COST * plain, `${MOST_COST} plain jobs / ${name}`, each, "µs"), cpuMicros: each });
    rows.push(within(MOST_PIECE_MS, `10 ms / loop in one go, the longest, ${name}`, flow.pieceMaxMs, "ms"));
    if (shape === "split" && flow.written > 0) {
      const bytes = flow.written / flow.jobs;
      const few = small.written / small.jobs;
      rows.push({ name: "bytes written for a sub-job among 100", value: few, unit: "bytes" });
      rows.push(within(MOST_GROWTH * few, "twice that / for one among 10,000", bytes, "bytes"));
    }
  }
  return rows;
}

/** Which storages take part: "sqlite", "postgres". */
export interface WorkflowsOptions {
  readonly only?: RegExp;
}

/** Sub-jobs of large workflows against plain jobs of the same process: host functions that do nothing, up to the stored end. */
export async function runWorkflows({ only = /(?:)/ }: WorkflowsOptions = {}): Promise<Row[]> {
  await using stack = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "signalbox-workflows-"));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const rows: Row[] = [];
  if (only.test("sqlite")) rows.push(...(await rowsOf(await startSite(stack, join(folder, "bench.db"), 10), "SQLite")));
  if (only.test("postgres")) {
    const database = await openPostgres(stack, "flows");
    rows.push(...(await rowsOf(await startSite(stack, await database(), 10), "PostgreSQL")));
  }
  return rows;
}
