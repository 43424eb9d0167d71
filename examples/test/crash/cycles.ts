import { type RunningServer, startServer } from "../program.ts";
import { createLedger, findFaults, type Ledger, type Stored, settle } from "./ledger.ts";
import { writeUntilGone } from "./load.ts";

export interface CrashReport {
  readonly kills: number;
  readonly acknowledged: number;
  readonly faults: readonly string[];
  readonly jobs: number;
  /** Jobs without a final record after the last restart. */
  readonly unfinishedJobs: readonly string[];
  /** Milliseconds from the start of the process to the first answer, slowest of all. */
  readonly slowestRestartMs: number;
}

interface Options {
  readonly kills: number;
  readonly env: Record<string, string>;
  readonly clients: number;
}

/** Starts the server, writes, kills it with -9 in the middle, starts it again and compares; as often as asked. */
export async function runCrashCycles({ kills, env, clients }: Options): Promise<CrashReport> {
  const ledger = createLedger();
  const faults: string[] = [];
  let slowestRestartMs = 0;
  for (let cycle = 0; cycle < kills; cycle++) {
    const begun = performance.now();
    const server = await startServer(env);
    slowestRestartMs = Math.max(slowestRestartMs, performance.now() - begun);
    faults.push(...(await compare(server, ledger)).map((fault) => `after kill ${cycle}: ${fault}`));
    if (cycle === 0) await defineJob(server);
    const writers = Array.from({ length: clients }, (_unused, n) => writeUntilGone(server, ledger, `c${cycle}_${n}`));
    await new Promise((resolve) => setTimeout(resolve, 150 + Math.random() * 250));
    await server.kill("SIGKILL");
    await Promise.all(writers);
  }
  const last = await startServer(env);
  faults.push(...(await compare(last, ledger)).map((fault) => `after the last kill: ${fault}`));
  const unfinishedJobs = await waitForJobs(last, ledger);
  const code = await last.kill("SIGTERM");
  if (code !== 0) faults.push(`SIGTERM ended with ${String(code)}: ${last.stderr()}`);
  return {
    kills,
    acknowledged: ledger.acknowledgedWrites,
    faults,
    jobs: ledger.jobs.size,
    unfinishedJobs,
    slowestRestartMs,
  };
}

async function compare(server: RunningServer, ledger: Ledger): Promise<string[]> {
  const { rows } = (await server.call("get_tags")) as { rows: Stored[] };
  const faults = findFaults(ledger, rows);
  settle(ledger, rows);
  return faults;
}

async function defineJob(server: RunningServer): Promise<void> {
  const answer = await server.call("create_event", {
    id: "long_job",
    title: "Runs longer than the server lives",
    enabled: true,
    category: "general",
    plugin: "shellplug",
    params: { script: "#!/bin/sh\necho started\nsleep 20\n" },
    targets: ["main"],
    algo: "random",
    triggers: [{ type: "manual", enabled: true }],
  });
  if (answer["code"] !== 0) throw new Error(`The job could not be defined: ${JSON.stringify(answer)}`);
}

/** A job that ran when the server died must end by rule: every accepted one gets a final record. */
async function waitForJobs(server: RunningServer, ledger: Ledger): Promise<string[]> {
  const deadline = performance.now() + 60_000;
  let open = [...ledger.jobs];
  while (open.length > 0 && performance.now() < deadline) {
    const { rows } = (await server.call("get_active_jobs")) as { rows: { id: string }[] };
    for (const { id } of rows) await server.call("abort_job", { id });
    const { jobs } = (await server.call("get_jobs", { ids: open })) as { jobs: { id?: string; final?: boolean }[] };
    open = open.filter((_id, index) => !jobs[index]?.final);
    if (open.length > 0) await new Promise((resolve) => setTimeout(resolve, 250));
  }
  return open;
}
