import { type RunningServer, startServer } from "../program.ts";
import { EVENT, EXPECTED, flow, ITEMS } from "./graph.ts";

export interface StoryOptions {
  readonly kills: number;
  /** As `SIGNALBOX_STORAGE` has it. */
  readonly storage: string;
  readonly dataDir: string;
}

export interface Story {
  readonly runs: number;
  /** Attempts that were lost in a kill. */
  readonly lost: number;
  readonly faults: readonly string[];
}

const PROGRAM = "test/jobs-crash/host.ts";
const LIFE_MS = { least: 100, most: 1500 };
const STARTED_AT_ONCE = 3;
const SETTLE_WITHIN_MS = 120_000;
const LOOK_MS = 200;
/** The last server has a fast clock: what waits for a lease or a silence to end takes a tenth of its time. */
const SETTLE_SPEED = 10;

/** Starts workflows, kills the process with -9 at some moment, as often as asked; then all of them must end as one run. */
export async function tellStory({ kills, storage, dataDir }: StoryOptions): Promise<Story> {
  const config = { max_jobs_per_min: 0, job_universal_actions: { default: [], workflow: [] } };
  const env = {
    ...{ SIGNALBOX_STORAGE: storage, SIGNALBOX_DATA_DIR: dataDir, SIGNALBOX_CONFIG: JSON.stringify(config) },
    CRASH_RUNS: `${dataDir}/runs`,
  };
  const started: string[] = [];
  for (let kill = 0; kill < kills; kill++) {
    const server = await startServer(env, PROGRAM);
    if (kill === 0) await create(server);
    for (let count = 0; count < STARTED_AT_ONCE; count++) started.push(await start(server));
    await new Promise((resolve) => setTimeout(resolve, LIFE_MS.least + Math.random() * (LIFE_MS.most - LIFE_MS.least)));
    await server.kill("SIGKILL");
  }
  const last = await startServer({ ...env, CRASH_SPEED: String(SETTLE_SPEED) }, PROGRAM);
  const faults: string[] = [];
  let lost = 0;
  for (const id of started) {
    const job = await whenFinal(last, id);
    lost += attemptsOf(job).filter(({ retried }) => retried).length;
    faults.push(...faultsOf(id, job));
  }
  const code = await last.kill("SIGTERM");
  return {
    runs: started.length,
    lost,
    faults: code === 0 ? faults : [...faults, `SIGTERM ended with ${String(code)}`],
  };
}

async function create(server: RunningServer): Promise<void> {
  const answer = await server.call("create_event", flow);
  if (answer["code"] !== 0) throw new Error(`create_event: ${JSON.stringify(answer)}`);
}

async function start(server: RunningServer): Promise<string> {
  const answer = await server.call("run_event", { id: EVENT, input: { data: { items: ITEMS } } });
  if (answer["code"] !== 0) throw new Error(`run_event: ${JSON.stringify(answer)}`);
  return String(answer["id"]);
}

interface Attempt {
  readonly id: string;
  readonly retried?: boolean;
  readonly code: unknown;
}

interface EndedFlow {
  readonly code?: unknown;
  readonly final?: boolean;
  readonly state?: string;
  readonly workflow?: { readonly jobs?: Readonly<Record<string, readonly Attempt[]>> };
}

async function whenFinal(server: RunningServer, id: string): Promise<EndedFlow> {
  const until = performance.now() + SETTLE_WITHIN_MS;
  for (;;) {
    const { job = {} } = (await server.call("get_job", { id })) as { job?: EndedFlow };
    if (job.final || performance.now() > until) return job;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

const attemptsOf = ({ workflow }: EndedFlow): readonly Attempt[] => Object.values(workflow?.jobs ?? {}).flat();

function faultsOf(id: string, job: EndedFlow): string[] {
  if (!job.final) return [`${id} never ended: ${JSON.stringify(job).slice(0, 600)}`];
  const faults = job.code === 0 ? [] : [`${id} ended with ${String(job.code)}`];
  for (const [node, wanted] of Object.entries(EXPECTED)) {
    const counted = (job.workflow?.jobs?.[node] ?? []).filter(({ retried }) => !retried);
    if (counted.length !== wanted) faults.push(`${id}: ${node} has ${counted.length} jobs that count, not ${wanted}`);
  }
  const ids = attemptsOf(job).map((attempt) => attempt.id);
  return new Set(ids).size === ids.length ? faults : [...faults, `${id} lists a job twice`];
}
