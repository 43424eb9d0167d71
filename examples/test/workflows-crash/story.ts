import { readFile, writeFile } from "node:fs/promises";
import { type RunningServer, startServer } from "../program.ts";
import { EVENT, EXPECTED, flowIn, ITEMS, meetingIn } from "./graph.ts";

export interface StoryOptions {
  readonly kills: number;
  /** Workflows that each life of a node starts. */
  readonly startedAtOnce: number;
  /** Storage, as in `SIGNALBOX_STORAGE`. */
  readonly storage: string;
  readonly dataDir: string;
}

export interface Story {
  readonly runs: number;
  /** Attempts lost to a kill. */
  readonly lost: number;
  readonly faults: readonly string[];
}

const PROGRAM = "test/jobs-crash/host.ts";
const LIFE_MS = { least: 100, most: 1500 };
const SETTLE_WITHIN_MS = 120_000;
const LOOK_MS = 200;
/** The last server has a fast clock: waiting for a lease or a silence to end takes a tenth of the time. */
const SETTLE_SPEED = 10;

const config = { max_jobs_per_min: 0, job_universal_actions: { default: [], workflow: [] } };
const environment = ({ storage, dataDir }: StoryOptions) => ({
  SIGNALBOX_STORAGE: storage,
  SIGNALBOX_DATA_DIR: dataDir,
  SIGNALBOX_CONFIG: JSON.stringify(config),
  CRASH_RUNS: `${dataDir}/runs`,
});
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const someLife = (): Promise<void> => pause(LIFE_MS.least + Math.random() * (LIFE_MS.most - LIFE_MS.least));

/** Waits for some time, and picks one of two nodes. */
async function someNode(): Promise<number> {
  await someLife();
  return Math.round(Math.random());
}

/**
 * Starts workflows and kills the process with -9 at some moment, as often as asked (the first time while it works on a job); then
 * each workflow must end as a single run.
 */
export async function tellStory(options: StoryOptions): Promise<Story> {
  const env = environment(options);
  const started: string[] = [];
  for (let kill = 0; kill < options.kills; kill++) {
    const server = await startServer(env, PROGRAM);
    if (kill === 0) await create(server, options);
    started.push(...(await startSome(server, options)));
    await (kill === 0 ? whenSlow(options) : someLife());
    await server.kill("SIGKILL");
    await tellSlow(options);
  }
  return judge(await startServer({ ...env, CRASH_SPEED: String(SETTLE_SPEED) }, PROGRAM), started);
}

/**
 * Two nodes share all workflows, each of which may continue on either; one node is killed and restarted, repeatedly. Every second
 * time it is stopped instead, as a deployment does.
 */
export async function tellSharedStory(options: StoryOptions): Promise<Story> {
  const env = environment(options);
  const startNode = (at: number) => startServer({ ...env, CRASH_NODE: String(at) }, PROGRAM);
  const nodes = [await startNode(0), await startNode(1)] as [RunningServer, RunningServer];
  const started: string[] = [];
  const stops: string[] = [];
  await create(nodes[0], options);
  for (let kill = 0; kill < options.kills; kill++) {
    for (const node of nodes) started.push(...(await startSome(node, options)));
    const dying = kill === 0 ? await whenSlow(options) : await someNode();
    const ended = await nodes[dying]?.kill(kill % 2 === 0 ? "SIGKILL" : "SIGTERM");
    await tellSlow(options);
    if (kill % 2 === 1 && ended !== 0) stops.push(`SIGTERM ended with ${String(ended)}`);
    nodes[dying] = await startNode(dying);
  }
  const [one, other] = nodes;
  const { faults: found, ...story } = await judge(one, started);
  const faults = [...stops, ...found];
  const code = await other.kill("SIGTERM");
  return {
    ...story,
    faults: code === 0 ? faults : [...faults, `SIGTERM of the other node ended with ${String(code)}`],
  };
}

async function startSome(server: RunningServer, { startedAtOnce }: StoryOptions): Promise<string[]> {
  const ids: string[] = [];
  for (let count = 0; count < startedAtOnce; count++) ids.push(await start(server));
  return ids;
}

/** Waits until a workflow's slow job runs, and returns the number of its process. */
async function whenSlow({ dataDir }: StoryOptions): Promise<number> {
  for (;;) {
    const said = await readFile(meetingIn(dataDir).runs, "utf8").catch(() => "");
    if (said.includes("\n")) return Number(said.split("\n", 1)[0]);
    await pause(20);
  }
}

/** Lets slow jobs end: the process of the first one has been killed. */
const tellSlow = ({ dataDir }: StoryOptions): Promise<void> => writeFile(meetingIn(dataDir).killed, "");

/** Waits until all workflows have ended, and judges them. */
async function judge(last: RunningServer, started: readonly string[]): Promise<Story> {
  const faults: string[] = [];
  let lost = 0;
  for (const id of started) {
    const job = await whenFinal(last, id);
    lost += attemptsOf(job).filter(({ retried }) => retried).length;
    faults.push(...faultsOf(id, job));
  }
  const code = await last.kill("SIGTERM");
  if (code !== 0) faults.push(`SIGTERM ended with ${String(code)}`);
  return { runs: started.length, lost, faults };
}

async function create(server: RunningServer, { dataDir }: StoryOptions): Promise<void> {
  const answer = await server.call("create_event", flowIn(dataDir));
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
