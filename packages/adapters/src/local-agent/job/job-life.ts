import type { Clock } from "@signalbox/core/adapter";
import { messageOf } from "@signalbox/core/adapter";
import { runHttp } from "../runners/http-runner.ts";
import { type ProcessJob, runProcess } from "../runners/shell-runner.ts";
import { runTest } from "../runners/test-runner.ts";
import { storeOutputFiles } from "./job-files.ts";
import { createJobFolder, findAccount, type JobFolder } from "./job-folder.ts";
import { createLogBuffer } from "./job-output.ts";
import { createJobRecord, type Update } from "./job-record.ts";
import type { JobRun, JobRunner, JobTools } from "./job-run.ts";

/** Changes of a job are sent at once, but at most five times a second (docs/contract/satellites.md#bounds). */
const MIN_GAP_MS = 200;

/** Command of jobs that run a host function. */
export const HOST_FUNCTION = "[host-function]";

export type Runner = JobRunner | BuiltIn | "process";

/** Built-in plugins that work in the folder of their job. */
interface BuiltIn {
  readonly inFolder: (run: JobRun, folder: JobFolder) => Promise<void>;
}

export function runnerOf(job: Update, tools: JobTools, runFunction: JobRunner): Runner {
  const command = String(job["command"] ?? "");
  if (command === HOST_FUNCTION) return runFunction;
  if (command === "[http-plugin]") return { inFolder: (run, folder) => runHttp(run, folder, tools) };
  if (command === "[test-plugin]") return { inFolder: (run, folder) => runTest(run, folder, tools) };
  if (command === "[shell-plugin]" || !/^\[.*\]$/.test(command)) return "process";
  return async (run) => run.finish(1, `Plugin Error: Not available on ${tools.serverId()}: ${command}`);
}

export interface RunOptions {
  readonly tools: JobTools;
  readonly abort: AbortController;
  readonly details: Update;
  readonly secrets: Update;
  readonly maxLogChunkBytes: number;
  readonly post: (cmd: string, data: unknown) => void;
}

/** Creates a job and the function that runs it to its end; after the end, `post` sends nothing more. */
export function createRun(job: Update, options: RunOptions): { run: JobRun; work: (runner: Runner) => Promise<void> } {
  const { tools, maxLogChunkBytes } = options;
  const { clock, context } = tools;
  const id = String(job["id"]);
  let ended = false;
  const post = (cmd: string, data: unknown): void => {
    if (!ended) options.post(cmd, data);
  };
  const buffer = createLogBuffer(clock, { maxBytes: maxLogChunkBytes, send: (text) => post("job_log", { id, text }) });
  const meta = (text: string): void => {
    // Keeps milestones and log lines in order.
    buffer.flush();
    post("job_meta", { id, text });
  };
  const record = createJobRecord(job, { ids: context.ids, warn: meta });
  const tell = (): void => post("jobs", { [id]: record.snapshot() });
  const run: JobRun = {
    record,
    details: options.details,
    secrets: options.secrets,
    signal: options.abort.signal,
    pid: undefined,
    usage: undefined,
    kept: [],
    meta,
    changed: throttle(clock, tell),
    log: buffer.write,
    finish(code, description) {
      if (record.isComplete()) return;
      const text = description || record.read("description") || "";
      record.set({ code: code || 0, complete: true, description: text, redraw: context.ids.short("") });
    },
  };
  const work = async (runner: Runner): Promise<void> => {
    const job_ = await runJob(runner, run, tools);
    run.pid = undefined;
    record.set({ state: "finishing", progress: 1 });
    meta("Job is finishing");
    // A job without a folder needs no cleanup and ends right away.
    if (job_.folder) tell();
    await cleanUp(run, job_, tools);
    buffer.flush();
    record.set({ state: "complete" });
    record.remove("procs", "conns");
    post("jobs", { [id]: record.final() });
    ended = true;
  };
  return { run, work };
}

/** Stores the output files and removes the folder. A failure of either does not keep the job from ending. */
async function cleanUp(run: JobRun, { folder, leftBehind }: ProcessJob, tools: JobTools): Promise<void> {
  const { clock, context, blobs } = tools;
  const serverId = tools.serverId();
  try {
    const place = { blobs, clock, ids: context.ids, serverId };
    run.record.set({ files: [...run.kept, ...(folder ? await storeOutputFiles(run, { ...place, folder }) : [])] });
  } catch (error) {
    run.record.set({ files: [...run.kept] });
    run.meta(`Warning: Files were not stored: ${messageOf(error)}`);
  }
  if (leftBehind === undefined) await remove(folder, tools);
  else void leftBehind.then(() => remove(folder, tools)).catch(() => undefined);
}

async function remove(folder: JobFolder | undefined, { context }: JobTools): Promise<void> {
  try {
    await folder?.remove();
  } catch (error) {
    context.log.warn({ error, folder: folder?.root }, "Folder of a job could not be removed");
  }
}

async function runJob(runner: Runner, run: JobRun, tools: JobTools): Promise<ProcessJob> {
  if (runner === "process") return runProcess(run, tools);
  if (typeof runner === "function") return runInside(runner, run);
  let folder: JobFolder | undefined;
  try {
    folder = await createJobFolder(tools.tempDir, run.record.id, { account: await findAccount("", "") });
    await runner.inFolder(run, folder);
  } catch (error) {
    run.finish(1, `Plugin Error: ${messageOf(error)}`);
  }
  return { folder, leftBehind: undefined };
}

async function runInside(runner: JobRunner, run: JobRun): Promise<ProcessJob> {
  try {
    await runner(run);
  } catch (error) {
    run.finish(1, `Plugin Error: ${messageOf(error)}`);
  }
  return { folder: undefined, leftBehind: undefined };
}

/** Runs the task at once; calls within the gap after it lead to one more run at the gap's end. */
function throttle(clock: Clock, task: () => void): () => void {
  let lastMs = Number.NEGATIVE_INFINITY;
  let waiting = false;
  const fire = (): void => {
    waiting = false;
    lastMs = clock.monotonicMs();
    task();
  };
  return () => {
    const restMs = MIN_GAP_MS - (clock.monotonicMs() - lastMs);
    if (waiting) return;
    if (restMs <= 0) return fire();
    waiting = true;
    clock.after(restMs, fire);
  };
}
