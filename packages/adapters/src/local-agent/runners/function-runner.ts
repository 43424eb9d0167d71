import {
  createFunctionFiles,
  type HostFunctionCall,
  type Logger,
  membersOf,
  messageOf,
  type WorkerFunction,
} from "@signalbox/core/adapter";
import { pause } from "../job/job-output.ts";
import type { JobRun, JobRunner, JobTools } from "../job/job-run.ts";
import { createSlots } from "../worker/slots.ts";
import { MAX_DATA_LENGTH } from "../worker/worker-messages.ts";
import type { WorkerPool } from "../worker/worker-pool.ts";
import { threadRunner } from "../worker/worker-runner.ts";
import { codeOf } from "./error-code.ts";
import type { LeftPromises } from "./left-promises.ts";

export interface FunctionRunnerOptions {
  /** Functions that run at once in this thread. */
  readonly concurrency: number;
  readonly pool: WorkerPool;
  readonly left: LeftPromises<JobRun>;
}

/** Logs a rejection with its stack in the engine's log and, while the job runs, in the job's log. */
export function tellLeftRejection({ record, log, meta }: JobRun, reason: unknown, engineLog: Logger): void {
  const text = `A promise that the function does not wait for was rejected: ${messageOf(reason)}`;
  engineLog.warn({ job: record.id, event: record.sent["event"], error: reason }, text);
  if (record.isComplete()) return;
  meta(text);
  log(`${text}\n${reason instanceof Error ? reason.stack : ""}\n`);
}

/**
 * Runs host functions, at most `concurrency` at once; further jobs wait in line. A function that throws fails its job; one that
 * ignores its signal is abandoned after the kill time, and what it does later has no effect on the job.
 */
export function functionRunner(tools: JobTools, { concurrency, pool, left }: FunctionRunnerOptions): JobRunner {
  const { clock, context, killTimeoutSec } = tools;
  const slots = createSlots(concurrency);
  const inThread = threadRunner(tools, pool);
  return async (run) => {
    const event = String(run.record.sent["event"] ?? "");
    const call = context.functions.get(event);
    if (!call) return run.finish(1, `Host function not found: ${event}`);
    const release = await slots.take(run.signal);
    if (!release) return;
    try {
      // A signal that has aborted already calls no listeners.
      if (run.signal.aborted) return;
      const gaveUp = aborted(run.signal).then(() => pause(clock, killTimeoutSec * 1000));
      const given = callOf(run, tools);
      const inWorker = (target: WorkerFunction): Promise<void> => {
        // A function in a worker thread needs no slot here.
        release();
        return inThread({ run, call: given, target });
      };
      await Promise.race([callFunction(() => left.run(run, () => call({ ...given, inWorker })), run), gaveUp]);
    } finally {
      release();
    }
  };
}

function callOf(run: JobRun, { blobs, clock, context, serverId }: JobTools): Omit<HostFunctionCall, "inWorker"> {
  const input = membersOf(run.details["input"]);
  const { files, kept } = createFunctionFiles({
    blobs,
    clock,
    ids: context.ids,
    job: run.record.id,
    server: serverId(),
    input: input["files"],
    isOver: () => run.signal.aborted || run.record.isComplete(),
  });
  run.kept = kept;
  return {
    jobId: run.record.id,
    params: run.record.sent["params"] ?? {},
    secrets: textMembers(run.secrets),
    input,
    files,
    signal: run.signal,
    clock,
    random: context.random,
    fetch: context.fetch,
    log: (text) => run.log(lineOf(text)),
    progress: (fraction, status) =>
      update(run, status === undefined ? { progress: fraction } : { progress: fraction, status }),
    tag: (...ids) => update(run, { push: { tags: ids.map(String) } }),
  };
}

async function callFunction(call: () => unknown, run: JobRun): Promise<void> {
  try {
    finishWith(await call(), run);
  } catch (error) {
    run.finish(codeOf(error), messageOf(error) || "Unknown Error (no description provided)");
  }
}

function update(run: JobRun, members_: Record<string, unknown>): void {
  if (run.record.apply(members_)) run.changed();
}

/**
 * Makes an object the data of the job, and warns about any other value. Throws for a value that JSON cannot hold, which fails the
 * job.
 */
function finishWith(result: unknown, run: JobRun): void {
  if (typeof result === "object" && result !== null && !Array.isArray(result)) {
    const text = JSON.stringify(result) ?? "{}";
    if (text.length > MAX_DATA_LENGTH) throw new Error(`Result is too large: ${text.length} characters`);
    const data: unknown = JSON.parse(text);
    if (Object.keys(membersOf(data)).length > 0) run.record.apply({ data });
  } else if (result !== undefined && result !== null)
    run.meta("Warning: The result is not kept: only an object becomes the data of a job.");
  run.finish(0, "");
}

function textMembers(values: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}

function lineOf(text: unknown): string {
  const line = String(text);
  return line.endsWith("\n") ? line : `${line}\n`;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
