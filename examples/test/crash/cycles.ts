import { type RunningServer, startServer } from "../program.ts";
import { compareJobs, type JobsReport, waitForEnds } from "./jobs.ts";
import { compareKeys, compareRecords, createLedger, type Ledger, type Stored, type StoredKey } from "./ledger.ts";
import { defineJobs, writeUntilKilled } from "./load.ts";

export interface CrashReport {
  readonly kills: number;
  readonly ledger: Ledger;
  readonly faults: readonly string[];
  readonly jobs: JobsReport;
  /** Longest time from the start of a process until it listens, in milliseconds. */
  readonly slowestStartMs: number;
}

export interface CrashOptions {
  readonly kills: number;
  readonly env: Readonly<Record<string, string>>;
  readonly clients: number;
  /** The load lasts between one and two times this long. */
  readonly loadMs: number;
}

/** Starts the server, writes, kills it with -9 in the middle, restarts it and compares; as often as asked. */
export async function runCrashCycles(options: CrashOptions): Promise<CrashReport> {
  const { kills, env } = options;
  const ledger = createLedger();
  const faults: string[] = [];
  let slowestStartMs = 0;
  const start = async (name: string): Promise<RunningServer> => {
    const begun = performance.now();
    const server = await startServer(env);
    slowestStartMs = Math.max(slowestStartMs, performance.now() - begun);
    faults.push(...(await compare(server, ledger)).map((fault) => `${name}: ${fault}`));
    return server;
  };
  for (let cycle = 0; cycle < kills; cycle++) {
    const server = await start(`after ${cycle} kills`);
    if (cycle === 0) await defineJobs(server);
    await loadAndKill(server, ledger, { ...options, cycle });
  }
  const last = await start("after the last kill");
  const jobs = await waitForEnds(last, ledger, 120_000);
  faults.push(...(await compare(last, ledger)).map((fault) => `at the end: ${fault}`));
  const code = await last.kill("SIGTERM");
  if (code !== 0) faults.push(`SIGTERM ended with ${String(code)}: ${last.stderr()}`);
  return { kills, ledger, faults, jobs, slowestStartMs };
}

async function loadAndKill(server: RunningServer, ledger: Ledger, options: CrashOptions & { cycle: number }) {
  const { clients, loadMs, cycle } = options;
  const writers = Array.from({ length: clients }, (_unused, n) =>
    writeUntilKilled({ server, ledger, name: `c${cycle}_${n}` }),
  );
  const before = { writes: ledger.acknowledgedWrites, jobs: ledger.jobs.size };
  const pause = new Promise((resolve) => setTimeout(resolve, loadMs * (1 + Math.random()))).then(() =>
    untilWorked(ledger, before),
  );
  // A writer ends early only with an error, which must not wait for the kill.
  await Promise.race([pause, Promise.all(writers)]).finally(() => server.kill("SIGKILL"));
  await Promise.all(writers);
}

/** Least work of each life before its kill, however slow the machine: killing an idle server proves nothing. */
const LEAST = { writes: 45, jobs: 2 };
const WORK_WITHIN_MS = 120_000;

async function untilWorked(ledger: Ledger, before: { readonly writes: number; readonly jobs: number }): Promise<void> {
  const until = performance.now() + WORK_WITHIN_MS;
  const isIdle = (): boolean =>
    ledger.acknowledgedWrites < before.writes + LEAST.writes || ledger.jobs.size < before.jobs + LEAST.jobs;
  while (isIdle() && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 20));
}

async function compare(server: RunningServer, ledger: Ledger): Promise<string[]> {
  const tags = (await server.call("get_tags")) as { rows: Stored[] };
  const events = (await server.call("get_events")) as { rows: Stored[] };
  const keys = (await server.call("get_api_keys")) as { rows: StoredKey[] };
  return [
    ...compareRecords(ledger, "tag", tags.rows),
    ...compareRecords(ledger, "event", events.rows),
    ...compareKeys(ledger, keys.rows),
    ...(await tryNewestKey(server, ledger)),
    ...(await compareJobs(server, ledger)),
  ];
}

/** Checks that the last key acknowledged before the kill is valid. */
async function tryNewestKey(server: RunningServer, ledger: Ledger): Promise<string[]> {
  const known = [...ledger.keys].findLast(([, answer]) => answer);
  if (!known?.[1]) return [];
  const answer = await server.call("get_tags", {}, known[1].plain);
  return answer["code"] === 0 ? [] : [`key ${known[0]}: ${JSON.stringify(answer)}`];
}
