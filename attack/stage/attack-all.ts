/** A whole run: parts one after another, totals, and the bounds they break. */
import { BOUNDS, brokenBounds, shortBounds, type Totals } from "../judge/bounds.ts";
import { freshMemoryMs, USUAL_MEMORY_MS } from "../judge/machine.ts";
import { createTally } from "../judge/tally.ts";
import { withPostgres } from "../server/postgres.ts";
import type { Part } from "./attack.ts";
import { createFindings, type Finding } from "./findings.ts";
import { type Measured, runParts } from "./run-part.ts";

export interface AttackOptions {
  readonly seed: string;
  /** Ids of parts; empty = all. */
  readonly only: readonly string[];
  /** Only attacks whose name contains this. */
  readonly named?: string;
  readonly short: boolean;
  /** "sqlite" or "postgres" */
  readonly storage: string;
  readonly nodeArguments?: readonly string[];
  say(line: string): void;
}

export interface Report {
  readonly lines: readonly string[];
  /** A sentence for each broken bound. */
  readonly broken: readonly string[];
}

/** Parts of a group share a server in the short form. */
export async function attackAll(all: readonly (readonly Part[])[], options: AttackOptions): Promise<Report> {
  const { seed, short, say, nodeArguments = [] } = options;
  const tally = createTally();
  const findings = createFindings();
  const measured: Measured[] = [];
  const memoryMs = freshMemoryMs();
  const bounds = short ? shortBounds(memoryMs / USUAL_MEMORY_MS) : BOUNDS;
  const machine = `Fresh memory takes ${memoryMs.toFixed(2)} ms a megabyte here; ${USUAL_MEMORY_MS} is usual.`;
  const pieceMs = { strangers: bounds.strangersPieceMs, callers: bounds.anyonePieceMs };
  const onlyNamed = (part: Part): Part => ({
    ...part,
    attacks: part.attacks.filter(({ name }) => name.includes(options.named ?? "")),
  });
  await withPostgres(options.storage === "postgres", async (postgres) => {
    const run = async (together: readonly Part[]): Promise<void> => {
      for (const { id, sqliteOnly } of together)
        if (postgres && sqliteOnly) return say(`${id}: left out, its failures are those of a SQLite file`);
      const start = { nodeArguments, postgres: await postgres?.database() };
      measured.push(...(await runParts(together, { seed, short, say, tally, findings, pieceMs, start })));
    };
    const isChosen = ({ id }: Part): boolean => options.only.length === 0 || options.only.includes(id);
    const groups = all.map((group) => group.filter(isChosen).map(onlyNamed)).filter((group) => group.length > 0);
    await eachOf(short ? groups : groups.flat().map((part) => [part]), short ? AT_ONCE : 1, run);
  });
  const { requests, hangs } = tally;
  const broken = brokenBounds({ ...sum(measured), requests, hangs, findings: findings.all().length }, bounds);
  const lines = report(measured, tally.byStatus(), findings.all(), broken);
  return { lines: [machine, ...lines], broken };
}

/**
 * Groups mostly wait, so three share two cores. They do not distort each other's figures: pieces are measured in processor time,
 * and event loop waits have no bound.
 */
const AT_ONCE = 3;

async function eachOf<T>(list: readonly T[], atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  const left = [...list];
  const next = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, next));
}

const most = (rows: readonly Measured[], read: (row: Measured) => number): number =>
  rows.reduce((worst, row) => Math.max(worst, read(row)), 0);

function sum(rows: readonly Measured[]): Omit<Totals, "requests" | "hangs" | "findings"> {
  return {
    crashes: rows.flatMap(({ crashes }) => crashes),
    strangersPieceMs: most(
      rows.filter(({ by }) => by === "strangers"),
      (row) => row.longestPieceMs,
    ),
    anyonePieceMs: most(rows, (row) => row.longestPieceMs),
    memoryOverIdle: most(rows, (row) => row.memoryOverIdle),
    prototypesHarmed: rows.some(({ prototypesHarmed }) => prototypesHarmed),
  };
}

function report(
  rows: readonly Measured[],
  byStatus: Readonly<Record<string, number>>,
  findings: readonly Finding[],
  broken: readonly string[],
): string[] {
  const totals = sum(rows);
  const statuses = Object.entries(byStatus).map(([status, count]) => `${status === "0" ? "cut" : status}: ${count}`);
  const failures = Object.entries(byStatus).reduce(
    (all, [status, count]) => all + (Number(status) >= 500 ? count : 0),
    0,
  );
  return [
    "",
    ...findings.flatMap(({ part, attack, sentence, reproduction, times }) => [
      `FINDING ${part} / ${attack}: ${sentence}${times > 1 ? ` (${times} times)` : ""}`,
      ...(reproduction ? [`    ${reproduction}`] : []),
    ]),
    "",
    `Requests                 ${Object.values(byStatus).reduce((all, count) => all + count, 0)}`,
    `  by status              ${statuses.join(", ")}`,
    `  5xx, injected included ${failures}`,
    `Crashes                  ${totals.crashes.length}`,
    `Longest piece, strangers ${totals.strangersPieceMs.toFixed(1)} ms of processor time`,
    `Longest piece, anyone    ${totals.anyonePieceMs.toFixed(1)} ms of processor time`,
    `Longest wait of the loop ${most(rows, (row) => row.longestWaitMs).toFixed(1)} ms by the clock`,
    `Memory over idle         ${(totals.memoryOverIdle / 1e6).toFixed(0)} MB`,
    `Bytes on disk over idle  ${(most(rows, (row) => row.diskOverIdle) / 1e6).toFixed(0)} MB`,
    `Open files at most       ${most(rows, (row) => row.openFiles)}`,
    `Findings                 ${findings.length}`,
    broken.length === 0 ? "All bounds hold." : `BROKEN: ${broken.join("; ")}`,
  ];
}
