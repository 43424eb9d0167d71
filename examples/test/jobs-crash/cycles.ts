import { readdir, readlink, stat } from "node:fs/promises";
import { join } from "node:path";
import { readRuns } from "../evidence.ts";
import { launchProgram, type RunningServer, startServer } from "../program.ts";
import { type Approve, createApproval } from "./approve.ts";
import { HOOK, pluginEvents, TAGS } from "./kinds.ts";
import { createLedger, keepBusy, type Ledger } from "./load.ts";
import { type Arrival, startReceivers } from "./receivers.ts";

export interface CyclesOptions {
  readonly kills: number;
  readonly seats: number;
  /** Storage, as in `SIGNALBOX_STORAGE`. */
  readonly storage: string;
  readonly dataDir: string;
  /** Every so many lives, one lasts this long, so that time-based work happens under load as well. */
  readonly longLife: { readonly every: number; readonly ms: number };
}

export interface CyclesReport {
  readonly kills: number;
  /** Kills before the server listened. */
  readonly early: number;
  readonly ledger: Ledger;
  /** Number of runs by job, as recorded by the jobs' work. */
  readonly runs: ReadonlyMap<string, number>;
  readonly arrivals: readonly Arrival[];
  readonly faults: readonly string[];
  /** Milliseconds from the start of the process until it listens. */
  readonly slowestStartMs: number;
  /** Milliseconds that the last server took to finish everything, on its own clock. */
  readonly settledMs: number;
}

const PROGRAM = "test/jobs-crash/host.ts";
/** Shortest life of a server in milliseconds, from when it listens. */
const SHORTEST_LIFE_MS = 50;
const LONGEST_LIFE_MS = 1600;
/** Accepted jobs that every other life reaches even on a slow machine, so that kills hit some at work. */
const ACCEPTED_AT_LEAST = 5;
/** Share of kills during the start of the server. */
const EARLY_SHARE = 0.1;
const EARLY_WITHIN_MS = 900;
/** The last server has a fast clock: waiting for a lease or a silence to end takes a tenth of the time. */
const SETTLE_SPEED = 10;
const SETTLE_WITHIN_MS = 180_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const LOOK_MS = 20;

/** Keeps a server busy, kills it with -9 at some moment and restarts it, as often as asked; then lets all work end. */
export async function runCycles({ kills, seats, storage, dataDir, longLife }: CyclesOptions): Promise<CyclesReport> {
  const runsFile = join(dataDir, "runs");
  const receivers = await startReceivers(runsFile);
  const env = environment({ storage, dataDir, runsFile, smtp: receivers.smtp });
  const ledger = createLedger();
  const load = { seats, approve: createApproval(receivers.arrivals) };
  let [early, slowestStartMs] = [0, 0];
  const start = async (more: Readonly<Record<string, string>> = {}): Promise<RunningServer> => {
    const begun = performance.now();
    const server = await startServer({ ...env, ...more }, PROGRAM);
    slowestStartMs = Math.max(slowestStartMs, performance.now() - begun);
    return server;
  };
  try {
    const first = await start();
    await define(first, { runsFile, receiver: receivers.url });
    await liveAndDie(first, ledger, { ...load, least: ACCEPTED_AT_LEAST, lifeMs: lifeOf(1, longLife) });
    for (let kill = 2; kill <= kills; kill++) {
      const isEarly = Math.random() < EARLY_SHARE;
      if (isEarly) early += 1;
      const life = { ...load, least: kill % 2 === 0 ? 0 : ACCEPTED_AT_LEAST, lifeMs: lifeOf(kill, longLife) };
      await (isEarly ? dieEarly(env) : liveAndDie(await start(), ledger, life));
    }
    const last = await start({ CRASH_SPEED: String(SETTLE_SPEED) });
    const settled = await settle(last, ledger, load.approve);
    const faults = [...ledger.faults, ...settled.faults, ...(await endOf(last)), ...(await leftBehind(dataDir))];
    const strangers = receivers.strangers.map((text) => `somebody sent: ${text}`);
    const runs = await readRuns(runsFile);
    return {
      ...{ kills, early, ledger, runs, arrivals: receivers.arrivals, slowestStartMs, settledMs: settled.ms },
      faults: [...faults, ...strangers],
    };
  } finally {
    await receivers.close();
  }
}

interface Life {
  readonly seats: number;
  readonly approve: Approve;
  /** Least number of jobs to accept in it. */
  readonly least: number;
  readonly lifeMs: number;
}

interface Surroundings {
  readonly storage: string;
  readonly dataDir: string;
  readonly runsFile: string;
  readonly smtp: string;
}

function environment({ storage, dataDir, runsFile, smtp }: Surroundings): Record<string, string> {
  // More than a hundred jobs a minute are launched; without a minute's readings there is nothing to take snapshots of.
  const config = { max_jobs_per_min: 0, job_universal_actions: { default: [], workflow: [] } };
  return {
    ...{ SIGNALBOX_STORAGE: storage, SIGNALBOX_DATA_DIR: dataDir, SIGNALBOX_SMTP: smtp },
    ...{ SIGNALBOX_CONFIG: JSON.stringify(config), CRASH_RUNS: runsFile },
  };
}

function lifeOf(kill: number, { every, ms }: CyclesOptions["longLife"]): number {
  if (kill % every === 0) return ms;
  return SHORTEST_LIFE_MS + Math.random() * (LONGEST_LIFE_MS - SHORTEST_LIFE_MS);
}

async function define(server: RunningServer, at: Parameters<typeof pluginEvents>[0]): Promise<void> {
  const create = async (operation: string, body: object): Promise<void> => {
    const answer = await server.call(operation, body);
    if (answer["code"] !== 0) throw new Error(`${operation} was refused: ${JSON.stringify(answer)}`);
  };
  await create("create_web_hook", { id: HOOK, title: HOOK, method: "POST", url: at.receiver, body: "{{text}}" });
  for (const id of TAGS) await create("create_tag", { id, title: id });
  for (const event of pluginEvents(at)) await create("create_event", event);
}

async function liveAndDie(server: RunningServer, ledger: Ledger, { least, lifeMs, ...load }: Life): Promise<void> {
  const enough = ledger.accepted.size + least;
  const busy = keepBusy(server, ledger, load);
  const live = async (): Promise<void> => {
    await pause(lifeMs);
    while (ledger.accepted.size < enough && !server.wasKilled()) await pause(LOOK_MS);
  };
  // The load ends early only with an error, which must not wait for the kill.
  await Promise.race([live(), busy]).finally(() => server.kill("SIGKILL"));
  await busy;
}

/** Kills a server while it starts. */
async function dieEarly(env: Readonly<Record<string, string>>): Promise<void> {
  const program = launchProgram(PROGRAM, { env: { SIGNALBOX_PORT: "0", ...env } });
  await pause(Math.random() * EARLY_WITHIN_MS);
  await program.kill("SIGKILL");
}

/** Repeats unanswered requests, then waits until no job is active and no work is queued. */
async function settle(
  server: RunningServer,
  ledger: Ledger,
  approve: Approve,
): Promise<{ readonly ms: number; faults: string[] }> {
  const begun = performance.now();
  for (const [key, event] of ledger.unanswered) {
    const answer = await server.call("run_event", { id: event, idempotency_key: key });
    if (answer["code"] !== 0) return { ms: 0, faults: [`${event} was refused: ${JSON.stringify(answer)}`] };
    ledger.accepted.set(key, String(answer["id"]));
    ledger.repeated += 1;
  }
  for (;;) {
    await approve(server);
    const { list } = (await server.call("get_active_jobs", { limit: 1 })) as { list: { length: number } };
    const { open, failed } = (await (await fetch(`${server.url}/open-work`)).json()) as {
      open: number;
      failed: number;
    };
    const ms = (performance.now() - begun) * SETTLE_SPEED;
    if (list.length === 0 && open === 0) return { ms, faults: failed === 0 ? [] : [`${failed} items of work failed`] };
    if (ms > SETTLE_WITHIN_MS * SETTLE_SPEED)
      return { ms, faults: [`${list.length} jobs and ${open} items of work never ended`] };
    await pause(100);
  }
}

async function endOf(server: RunningServer): Promise<string[]> {
  const code = await server.kill("SIGTERM");
  return code === 0 ? [] : [`SIGTERM ended with ${String(code)}: ${server.stderr()}`];
}

/** Processes that still run in the folder of a job, and files in such folders. A folder without a mark is kept for a minute. */
async function leftBehind(dataDir: string): Promise<string[]> {
  const temp = join(dataDir, "tmp");
  const paths = (await readdir(temp, { recursive: true })).filter((path) => path.includes("/"));
  const sizes = await Promise.all(paths.map(async (path) => (await stat(join(temp, path))).size));
  const left = paths.filter((path, index) => !(path.endsWith("/owner") && sizes[index] === 0));
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const places = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => "")));
  const working = pids.filter((_pid, index) => places[index]?.startsWith(dataDir));
  return [...left, ...working.map((pid) => `process ${pid}`)].map((what) => `${what} was left behind`);
}
