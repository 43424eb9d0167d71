import { isObject } from "../../lib/is-object.ts";
import type { HostFunction } from "../../ports/agent-transport.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Activity } from "./activity.ts";
import type { RunningJob, TestJobResult } from "./test-job.ts";

/** A function that does not heed its signal for so long is left behind, as by the agent of a host. Seconds. */
const KILL_SEC = 10;

export interface FunctionTools {
  readonly activity: Activity;
  readonly clock: Clock;
}

/** Runs a function of the host as the agent of the host does, and says how it ended. Never rejects. */
export async function runHostFunction(
  call: HostFunction,
  running: RunningJob,
  { activity, clock }: FunctionTools,
): Promise<void> {
  const { event, signal } = running.job;
  const held = activity.hold(`the function of event "${event}"`);
  const gaveUp = new Promise<TestJobResult>((resolve) => {
    signal.addEventListener("abort", () => clock.after(KILL_SEC * 1000, () => resolve({})), { once: true });
  });
  try {
    running.close(await Promise.race([held.run(() => resultOf(call, running)), gaveUp]));
  } finally {
    held.end();
  }
}

async function resultOf(call: HostFunction, { job }: RunningJob): Promise<TestJobResult> {
  const { id: jobId, params, input, secrets, signal, progress, tag } = job;
  try {
    // A line may be anything that a program without types gives.
    const log = (text: unknown): void => job.log(String(text));
    const result = await call({ jobId, params, secrets, input, signal, log, progress, tag });
    // As it travels to the engine: what JSON cannot hold fails the job.
    const data: unknown = isObject(result) ? JSON.parse(JSON.stringify(result)) : undefined;
    return isObject(data) && Object.keys(data).length > 0 ? { data } : {};
  } catch (error) {
    return { code: codeOf(error), description: messageOf(error) || "Unknown Error (no description provided)" };
  }
}

function codeOf(error: unknown): string | number {
  const code = isObject(error) ? error["code"] : undefined;
  return typeof code === "string" && code !== "" ? code.slice(0, 100) : 1;
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
