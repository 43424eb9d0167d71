import { membersOf } from "@signalbox/core/adapter";
import type { HostMetrics } from "../host-metrics.ts";
import type { TreeMemory, TreeProcess } from "../metrics/processes/process-meter.ts";
import { functionRunner, tellLeftRejection } from "../runners/function-runner.ts";
import { createLeftPromises } from "../runners/left-promises.ts";
import { createWorkerPool } from "../worker/worker-pool.ts";
import { createRun, HOST_FUNCTION, runnerOf } from "./job-life.ts";
import { pause } from "./job-output.ts";
import type { Update } from "./job-record.ts";
import type { JobRun, JobRunner, JobTools } from "./job-run.ts";
import { addUsage, type Usage } from "./job-usage.ts";

export interface JobBoardOptions {
  readonly tools: JobTools;
  readonly maxFunctions: number;
  readonly maxWorkers: number;
  /** Megabytes; absent = the default of Node.js. */
  readonly workerMemoryMb: number | undefined;
  readonly maxLogChunkBytes: number;
  /** Sends a message to the node. */
  readonly post: (cmd: string, data: unknown) => void;
}

/** The jobs that run on this machine. */
export interface JobBoard {
  launch(data: unknown): void;
  abort(data: unknown): void;
  readonly count: () => number;
  /** Records on each job that the connection is back. */
  reconnected(): void;
  /** Aborts all jobs and waits until they have ended, at most twice the kill time and five seconds. */
  stop(): Promise<void>;
}

const MAX_JOBS = 1000;
const JOB_ID = /^[a-z0-9_]{1,64}$/;

interface Entry {
  readonly run: JobRun;
  readonly abort: AbortController;
  readonly usage: { cpu?: Usage; mem?: Usage };
  readonly tree: TreeMemory;
  readonly done: Promise<unknown>;
  sampling: boolean;
}

/** Aborts all running jobs because the server shuts down. */
function abortAll(jobs: ReadonlyMap<string, Entry>): void {
  for (const entry of jobs.values()) {
    // No person ended this job, so its limit may retry it after the next start.
    if (!entry.run.record.isComplete()) entry.run.record.set({ retry_ok: true });
    abortJob(entry, "Server is shutting down.");
  }
}

async function endAll(jobs: ReadonlyMap<string, Entry>, { clock, killTimeoutSec }: JobTools): Promise<void> {
  abortAll(jobs);
  const whenEmpty = async (): Promise<void> => {
    while (jobs.size > 0) await Promise.all(Array.from(jobs.values(), ({ done }) => done));
  };
  // Twice the kill time covers SIGTERM and SIGKILL; the rest is for storing files and closing pipes.
  await Promise.race([whenEmpty(), pause(clock, (killTimeoutSec * 2 + 5) * 1000)]);
}

export function createJobBoard(options: JobBoardOptions): JobBoard {
  const { tools } = options;
  const jobs = new Map<string, Entry>();
  const { maxWorkers, workerMemoryMb: memoryMb } = options;
  const pool = createWorkerPool({ clock: tools.clock, maxWorkers, memoryMb });
  const left = createLeftPromises<JobRun>((run, reason) => tellLeftRejection(run, reason, tools.context.log));
  const launch = createLauncher(
    options,
    jobs,
    functionRunner(tools, { concurrency: options.maxFunctions, pool, left }),
  );
  const reporter = createReporter(options, jobs);
  let isStopping = false;
  return {
    count: () => jobs.size,
    launch(data) {
      launch(ownCopy(membersOf(data)));
      // The launch was under way when the stop began.
      if (isStopping) abortAll(jobs);
      reporter.wake();
    },
    abort(data) {
      const { id, reason } = membersOf(data);
      const entry = jobs.get(String(id));
      if (entry) abortJob(entry, String(reason ?? "Aborted"));
    },
    reconnected() {
      for (const { run } of jobs.values()) {
        run.record.set({ reconnected: tools.clock.now() });
        run.meta("Connection to conductor is back");
      }
    },
    async stop() {
      isStopping = true;
      await endAll(jobs, tools);
      reporter.stop();
      await pool.close();
      left.stop();
    },
  };
}

/**
 * Copies a job, so that nothing it does can change the node's own record. A function sees only its parameters and input, so
 * nothing else is copied for one; the agent only reads the rest.
 */
function ownCopy(data: Update): Update {
  const job = membersOf(data["job"]);
  if (job["command"] !== HOST_FUNCTION) return membersOf(structuredClone(data));
  const { input } = membersOf(data["details"]);
  return {
    job: { ...job, params: structuredClone(job["params"] ?? {}) },
    details: input === undefined ? {} : { input: structuredClone(input) },
    sec: { ...membersOf(data["sec"]) },
  };
}

function abortJob({ run, abort }: Entry, reason: string): void {
  if (run.record.isComplete()) return;
  run.record.set({ code: "abort", description: reason, complete: true });
  run.meta("Aborting job on server");
  abort.abort(new Error(reason));
  run.changed();
}

function createLauncher(
  { tools, maxLogChunkBytes, post }: JobBoardOptions,
  jobs: Map<string, Entry>,
  runFunction: JobRunner,
): (data: Update) => void {
  return (data) => {
    const job = membersOf(data["job"]);
    const id = String(job["id"]);
    const refusal = refusalOf(job, jobs);
    if (refusal !== undefined) {
      tools.context.log.warn({ job: id.slice(0, 64), refusal }, "Job was refused by the local agent");
      // A repeated launch must not end the running job with the same id.
      if (jobs.has(id) || !JOB_ID.test(id)) return;
      const description = `Setup Error: ${refusal}`;
      post("jobs", { [id]: { ...job, state: "complete", complete: true, code: 1, description } });
      return;
    }
    const abort = new AbortController();
    const parts = { details: membersOf(data["details"]), secrets: membersOf(data["sec"]) };
    const { run, work } = createRun(job, { tools, abort, post, maxLogChunkBytes, ...parts });
    const done = work(runnerOf(job, tools, runFunction))
      .catch((error: unknown) => tools.context.log.error({ error, job: id }, "Job ended without a report"))
      .finally(() => jobs.delete(id));
    jobs.set(id, { run, abort, usage: {}, tree: new Map(), done, sampling: false });
  };
}

/** Reports all jobs to the node once a second, while there are any. */
function createReporter({ tools, post }: JobBoardOptions, jobs: ReadonlyMap<string, Entry>) {
  const { clock, context, metrics } = tools;
  let timer: Disposable | undefined;
  const report = async (): Promise<void> => {
    await Promise.all([...jobs.values()].map((entry) => sampleJob(entry, metrics)));
    const live = [...jobs.values()].filter(({ run }) => run.record.read("state") !== "complete");
    if (live.length > 0)
      post("jobs", Object.fromEntries(live.map(({ run }) => [run.record.id, run.record.snapshot()])));
  };
  const tick = (): void => {
    timer = jobs.size > 0 ? clock.after(1000, tick) : undefined;
    void report().catch((error: unknown) => context.log.warn({ error }, "Report of running jobs failed"));
  };
  return {
    wake() {
      if (jobs.size > 0) timer ??= clock.after(1000, tick);
    },
    stop() {
      timer?.[Symbol.dispose]();
      timer = undefined;
    },
  };
}

async function sampleJob(entry: Entry, metrics: HostMetrics): Promise<void> {
  const { run, tree, usage } = entry;
  if (run.usage) {
    const { cpu, mem } = run.usage();
    usage.cpu = addUsage(usage.cpu, cpu);
    if (mem !== undefined) usage.mem = addUsage(usage.mem, mem);
    run.record.set({ ...usage });
    return;
  }
  if (run.pid === undefined || run.record.sent["runner"] || entry.sampling) return;
  entry.sampling = true;
  const processes = await metrics.tree(run.pid, tree).finally(() => {
    entry.sampling = false;
  });
  // The process has ended meanwhile; the last reading stays.
  if (run.pid === undefined || processes.length === 0) return;
  usage.cpu = addUsage(usage.cpu, sum(processes, "cpu"));
  usage.mem = addUsage(usage.mem, sum(processes, "memRss"));
  run.record.set({ ...usage, procs: Object.fromEntries(processes.map((each) => [each.pid, each])) });
}

function sum(processes: readonly TreeProcess[], key: "cpu" | "memRss"): number {
  return processes.reduce((total, each) => total + each[key], 0);
}

function refusalOf(job: Update, jobs: ReadonlyMap<string, unknown>): string | undefined {
  const id = String(job["id"] ?? "");
  if (!JOB_ID.test(id)) return "Malformed job id";
  if (jobs.has(id)) return "Job is running already";
  if (job["state"] !== "active") return `Job is not active: ${String(job["state"])}`;
  return jobs.size >= MAX_JOBS ? `Too many jobs on this server: ${MAX_JOBS}` : undefined;
}
