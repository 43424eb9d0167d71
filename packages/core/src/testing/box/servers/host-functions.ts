import { isObject } from "../../../lib/json/is-object.ts";
import { messageOf } from "../../../lib/message-of.ts";
import type { HostFunction, HostFunctionCall, WorkerFunction } from "../../../ports/agents/agent-transport.ts";
import { createFunctionFiles } from "../../../ports/agents/function-files.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { IdGenerator } from "../../../ports/ids.ts";
import type { Fetch } from "../../../ports/outside/fetch.ts";
import type { Random } from "../../../ports/random.ts";
import type { BlobStore } from "../../../ports/storage/blob-store.ts";
import type { Activity } from "../activity.ts";
import type { RunningJob, TestJobResult } from "./test-job.ts";

/** Seconds after which a function that ignores its signal is abandoned, as the agent of a host does. */
const KILL_SEC = 10;

export interface FunctionTools {
  readonly activity: Activity;
  readonly clock: Clock;
  readonly blobs: BlobStore;
  readonly ids: IdGenerator;
  readonly random: Random;
  readonly fetch: Fetch;
}

/** Runs a function of the host as the host's agent does, and reports its end. Never rejects. */
export async function runHostFunction(call: HostFunction, running: RunningJob, tools: FunctionTools): Promise<void> {
  const { activity, clock } = tools;
  const { event, signal } = running.job;
  // A function that starts itself again would keep the box from ever coming to rest.
  if (activity.isStuck)
    return running.close({ code: 1, description: "The box did not come to rest; nothing is begun" });
  const held = activity.hold(`the function of event "${event}"`);
  const gaveUp = new Promise<TestJobResult>((resolve) => {
    signal.addEventListener("abort", () => clock.after(KILL_SEC * 1000, () => resolve({})), { once: true });
  });
  try {
    running.close(await Promise.race([held.run(() => resultOf(call, running, tools)), gaveUp]));
  } finally {
    held.end();
  }
}

async function resultOf(
  call: HostFunction,
  { job }: RunningJob,
  { activity, blobs, clock: box, fetch, ids, random }: FunctionTools,
): Promise<TestJobResult> {
  const { id: jobId, params, input, secrets, signal, progress, tag } = job;
  const isOver = (): boolean => job.isOver;
  // A plain clock without the methods that move time. Work that waits for it is known to wait for a later time.
  const clock: Clock = { now: box.now, monotonicMs: box.monotonicMs, after: activity.clockOf(box) };
  const origin = { blobs, clock, ids, job: jobId, server: "local", input: input["files"], isOver };
  const { files, kept } = createFunctionFiles(origin);
  try {
    // A program without types may pass anything as a line.
    const log = (text: unknown): void => job.log(String(text));
    const world = { clock, random, fetch };
    const shared = { jobId, params, secrets, input, signal, log, progress, tag, files, ...world };
    const result = await call({ ...shared, inWorker: (target) => runModule(target, shared) });
    // Serialised as on its way to the engine: a value that JSON cannot represent fails the job.
    const data: unknown = isObject(result) ? JSON.parse(JSON.stringify(result)) : undefined;
    return { files: kept, ...(isObject(data) && Object.keys(data).length > 0 ? { data } : {}) };
  } catch (error) {
    const description = messageOf(error) || "Unknown Error (no description provided)";
    return { files: kept, code: codeOf(error), description };
  }
}

/** Runs a function of a module in this thread, so that it uses the clock of the box. */
async function runModule(
  { module, export: name, event, params, data }: WorkerFunction,
  { jobId, ...call }: Omit<HostFunctionCall, "inWorker">,
): Promise<unknown> {
  const loaded = (await import(/* @vite-ignore */ module)) as Readonly<Record<string, unknown>>;
  const run = loaded[name];
  if (typeof run !== "function") throw new Error(`Worker module exports no function "${name}": ${module}`);
  return run({ ...call, params, data, job: { id: jobId, event } });
}

function codeOf(error: unknown): string | number {
  const code = isObject(error) ? error["code"] : undefined;
  return typeof code === "string" && code !== "" ? code.slice(0, 100) : 1;
}
