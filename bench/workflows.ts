import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PiecesReport } from "./pieces.ts";
import { openPostgres } from "./postgres.ts";
import type { Row } from "./report.ts";

/** One measurement: a workflow of `size` sub-jobs, or as many plain jobs. */
export interface FlowOrder {
  readonly shape: FlowShape;
  readonly size: number;
  /** Plain jobs requested but not ended, at a time. */
  readonly underWay?: number;
  /** Most milliseconds that one piece of work on the event loop should take. */
  readonly aimMs: number;
}
export type FlowShape = "plain" | "split" | "multiplex" | "chain";

export interface FlowReport {
  readonly jobs: number;
  /** Processor time of the whole process. */
  readonly cpuMicros: number;
  /** Bytes that the storage wrote; 0 where they are not counted. */
  readonly written: number;
  readonly pieces: PiecesReport;
}

/** Most that a sub-job may cost, relative to a plain job. */
const MOST_COST = 1.3;
/** Most that the bytes of a sub-job may grow from 100 to 10,000 sub-jobs, as a factor. */
const MOST_GROWTH = 2;
/** Most milliseconds that one piece of work on the event loop may take. */
const MOST_PIECE_MS = 10;

const FEW_SERVERS = 10;
const SIZES: readonly Pick<FlowOrder, "shape" | "size">[] = [
  { shape: "split", size: 10_000 },
  { shape: "multiplex", size: 1000 },
  { shape: "chain", size: 1000 },
];

type Ask = (order: FlowOrder) => Promise<FlowReport>;

async function startSite(stack: AsyncDisposableStack, place: string, servers: number): Promise<Ask> {
  // Incremental marking is not reported as a garbage collection, and would count as work of the event loop.
  const execArgv = [...process.execArgv, "--no-incremental-marking"];
  const child = fork(new URL("./workflows-site.ts", import.meta.url), [place, String(servers)], { execArgv });
  const exit = once(child, "exit");
  const ended = exit.then(([code]) => Promise.reject(new Error(`The site over ${place} ended with ${code}`)));
  // The next caller reports it.
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

/** With fewer concurrent jobs, fewer share a transaction: a chain has one at a time, a step of a split fifteen. */
const UNDER_WAY: Readonly<Record<FlowShape, number>> = { plain: 15, split: 15, multiplex: 15, chain: 1 };

/** Measures one shape against as many plain jobs before and after it. */
async function rowsOf(ask: Ask, storage: string, { shape, size }: Pick<FlowOrder, "shape" | "size">): Promise<Row[]> {
  const aimMs = MOST_PIECE_MS;
  const plainly = { shape: "plain", size, underWay: UNDER_WAY[shape], aimMs } as const;
  // Warms up.
  await ask({ ...plainly, size: Math.min(size, 1000) });
  await ask({ shape, size: 100, aimMs });
  const small = await ask({ shape, size: 100, aimMs });
  const before = await ask(plainly);
  const flow = await ask({ shape, size, aimMs });
  const after = await ask(plainly);
  const name = `${shape} of ${size.toLocaleString("en-US")}, ${storage}`;
  const plain = (before.cpuMicros / before.jobs + after.cpuMicros / after.jobs) / 2;
  const each = flow.cpuMicros / flow.jobs;
  const bytes = flow.written / flow.jobs;
  const few = small.written / small.jobs;
  return [
    { name: `plain jobs beside ${name}`, value: plain, unit: "µs" },
    within(MOST_COST * plain, `${MOST_COST} plain jobs / one of ${name}`, each, "µs"),
    { name: `bytes written for one of ${shape} of 100, ${storage}`, value: few, unit: "bytes" },
    within(MOST_GROWTH * few, `${MOST_GROWTH} of those / one of ${name}`, bytes, "bytes"),
    { name: `longest piece of the loop, plain jobs beside ${name}`, value: before.pieces.longest, unit: "ms" },
    within(MOST_PIECE_MS, `${MOST_PIECE_MS} ms / longest piece, ${name}`, flow.pieces.longest, "ms"),
    { name: `pieces above it, of ${flow.pieces.count}, ${name}`, value: flow.pieces.above, unit: "" },
    { name: `longest collection, ${name}`, value: flow.pieces.longestCollection, unit: "ms" },
  ];
}

/** Pattern for the storages to measure: "sqlite", "postgres". */
export interface WorkflowsOptions {
  readonly only?: RegExp;
}

/**
 * Measures sub-jobs of large workflows against plain jobs of the same process: they do nothing, and are timed until their stored
 * end.
 */
export async function runWorkflows({ only = /(?:)/ }: WorkflowsOptions = {}): Promise<Row[]> {
  await using stack = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "signalbox-workflows-"));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const rows: Row[] = [];
  const storages: Record<string, (shape: string) => string | Promise<string>> = {};
  if (only.test("sqlite")) storages["SQLite"] = (shape) => join(folder, `${shape}.db`);
  if (only.test("postgres")) storages["PostgreSQL"] = await openPostgres(stack, "flows");
  for (const [storage, placeOf] of Object.entries(storages))
    for (const order of SIZES) {
      await using site = new AsyncDisposableStack();
      const servers = order.shape === "multiplex" ? order.size : FEW_SERVERS;
      rows.push(...(await rowsOf(await startSite(site, await placeOf(order.shape), servers), storage, order)));
    }
  return rows;
}
