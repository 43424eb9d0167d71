import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { IngestReady, IngestReport } from "./ingest-contender.ts";
import type { IngestOrder, IngestResult } from "./ingest-load.ts";
import { openPostgres } from "./postgres.ts";
import { type Arm, type Comparison, type RaceOptions, race } from "./race.ts";
import type { Row } from "./report.ts";

const FLOOR_PER_MINUTE = 200_000;
const GOAL_PER_MINUTE = 300_000;
/** Microseconds of processor time that one core has in a minute. */
const MICROS_PER_MINUTE = 60_000_000;

const NAMES = {
  sqlite: { engine: "minutes, SQLite", usual: "jexl, a transaction per minute, SQLite" },
  postgres: { engine: "minutes, PostgreSQL", usual: "jexl, a transaction per minute, PostgreSQL" },
} as const;

const COMPARISONS: readonly Comparison[] = [
  { label: "P15 minutes, SQLite", arm: NAMES.sqlite.engine, anchor: NAMES.sqlite.usual, floor: 2.5, goal: 3 },
  { label: "P15 minutes, PostgreSQL", arm: NAMES.postgres.engine, anchor: NAMES.postgres.usual, floor: 2.5, goal: 3 },
];

interface Helper {
  readonly child: ChildProcess;
  /** Rejects when the process ends by itself. */
  readonly ended: Promise<never>;
}

async function ask<A>({ child, ended }: Helper, order: object): Promise<A> {
  const answer = once(child, "message", { signal: AbortSignal.timeout(120_000) });
  child.send(order);
  return (await Promise.race([answer, ended]))[0];
}

function forkFile(stack: AsyncDisposableStack, file: string, args: readonly string[] = []): Helper {
  const child = fork(new URL(file, import.meta.url), args);
  const exit = once(child, "exit");
  const ended = exit.then(([code]) => Promise.reject(new Error(`${file} ended with ${code}`)));
  // The next caller reports it.
  ended.catch(() => undefined);
  stack.defer(async () => {
    if (child.connected) child.disconnect();
    await exit;
  });
  return { child, ended };
}

async function openArm(
  stack: AsyncDisposableStack,
  load: Helper,
  { name, kind, place }: { readonly name: string; readonly kind: string; readonly place: string },
): Promise<Arm> {
  const server = forkFile(stack, "./ingest-contender.ts", [kind, place]);
  const [ready] = (await Promise.race([once(server.child, "message"), server.ended])) as [IngestReady];
  return {
    name,
    unit: "reports/s",
    async work(measureMs) {
      const before = await ask<IngestReport>(server, {});
      const { stored, tookMs } = await ask<IngestResult>(load, { ...ready, measureMs } satisfies IngestOrder);
      const { cpuMicros } = await ask<IngestReport>(server, {});
      return { perSecond: (stored * 1000) / tookMs, cpuMicros: (cpuMicros - before.cpuMicros) / stored };
    },
  };
}

/** Reports that a core could process in a minute if it did nothing else, by the processor time of one report. */
function perCoreRow(rows: readonly Row[], name: string): Row[] {
  const micros = rows.find((row) => row.name === name)?.cpuMicros;
  if (micros === undefined) return [];
  const value = MICROS_PER_MINUTE / micros;
  const ratio = value / FLOOR_PER_MINUTE;
  const goal = GOAL_PER_MINUTE / FLOOR_PER_MINUTE;
  return [{ name: `P15 ${name}, of a core / 200,000`, value, unit: "servers/min", ratio, floor: 1, goal }];
}

/** `only` selects the arms whose name it matches. */
export interface IngestOptions extends RaceOptions {
  readonly only?: RegExp;
}

/**
 * Minutes of a thousand satellites over WebSocket, evaluated and stored (19 KB each, 30 monitors, 20 alerts, one report of each
 * satellite under way), against jexl with a transaction per report. Durable on both sides: SQLite with `synchronous=FULL`,
 * PostgreSQL with fsync.
 */
export async function runIngest({ only = /(?:)/, ...options }: IngestOptions = {}): Promise<Row[]> {
  await using stack = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "signalbox-ingest-"));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const wants = (place: keyof typeof NAMES): boolean => Object.values(NAMES[place]).some((name) => only.test(name));
  const places: Record<string, () => Promise<string>> = {
    sqlite: async () => join(mkdtempSync(join(folder, "db-")), "bench.db"),
    ...(wants("postgres") ? { postgres: await openPostgres(stack, "ingest") } : {}),
  };
  const load = forkFile(stack, "./ingest-load.ts");
  const arms: Arm[] = [];
  for (const [place, fresh] of Object.entries(places))
    for (const [who, name] of Object.entries(NAMES[place as keyof typeof NAMES]))
      if (only.test(name))
        arms.push(await openArm(stack, load, { name, kind: `${who}-${place}`, place: await fresh() }));
  const rows = await race(arms, COMPARISONS, { turns: 1, turnMs: 5000, warmupMs: 8000, ...options });
  return [...rows, ...Object.values(NAMES).flatMap(({ engine }) => perCoreRow(rows, engine))];
}
