import type { HostFunction } from "@signalbox/core";
import { members } from "./environment.ts";
import { pause } from "./job-output.ts";
import { type JobRun, type JobRunner, type JobTools, messageOf } from "./job-run.ts";

/** Characters of JSON that a function may return. */
const MAX_DATA_LENGTH = 16 * 1_048_576;

/**
 * Runs functions of the host. At most `concurrency` at once; further jobs wait their turn. A function that throws fails
 * its job; one that does not heed its signal is left behind after the kill time, and what it does later is not seen.
 */
export function functionRunner({ clock, context, killTimeoutSec }: JobTools, concurrency: number): JobRunner {
  const slots = createSlots(concurrency);
  return async (run) => {
    const event = String(run.record.sent["event"] ?? "");
    const call = context.functions.get(event);
    if (!call) return run.finish(1, `Host function not found: ${event}`);
    const release = await slots.take(run.signal);
    if (!release) return;
    try {
      // A listener for an abort that has been would wait in vain.
      if (run.signal.aborted) return;
      const gaveUp = aborted(run.signal).then(() => pause(clock, killTimeoutSec * 1000));
      await Promise.race([callFunction(call, run), gaveUp]);
    } finally {
      release();
    }
  };
}

async function callFunction(call: HostFunction, run: JobRun): Promise<void> {
  try {
    const result = await call({
      jobId: run.record.id,
      params: run.record.sent["params"] ?? {},
      secrets: textMembers(run.secrets),
      input: run.details["input"] ?? {},
      signal: run.signal,
      log: (text) => run.log(lineOf(text)),
      progress: (fraction, status) =>
        update(run, status === undefined ? { progress: fraction } : { progress: fraction, status }),
      tag: (...ids) => update(run, { push: { tags: ids.map(String) } }),
    });
    finishWith(result, run);
  } catch (error) {
    run.finish(codeOf(error), messageOf(error) || "Unknown Error (no description provided)");
  }
}

function update(run: JobRun, members_: Record<string, unknown>): void {
  if (run.record.apply(members_)) run.changed();
}

/** An object becomes the data of the job; other values are none. What JSON cannot hold fails the job in words. */
function finishWith(result: unknown, run: JobRun): void {
  if (typeof result === "object" && result !== null && !Array.isArray(result)) {
    const text = JSON.stringify(result) ?? "{}";
    if (text.length > MAX_DATA_LENGTH) throw new Error(`Result is too large: ${text.length} characters`);
    const data: unknown = JSON.parse(text);
    if (Object.keys(members(data)).length > 0) run.record.apply({ data });
  }
  run.finish(0, "");
}

function codeOf(error: unknown): string | number {
  const code: unknown = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return typeof code === "string" && code !== "" ? code.slice(0, 100) : 1;
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

/** Places for work, given in the order of asking. */
function createSlots(count: number) {
  let free = Math.max(1, count);
  const waiting: (() => void)[] = [];
  const release = (): void => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };
  return {
    /** Undefined when the signal aborts first. */
    async take(signal: AbortSignal): Promise<(() => void) | undefined> {
      if (signal.aborted) return undefined;
      if (free > 0) {
        free -= 1;
        return release;
      }
      const { promise, resolve } = Promise.withResolvers<(() => void) | undefined>();
      const enter = (): void => resolve(release);
      waiting.push(enter);
      signal.addEventListener(
        "abort",
        () => {
          const at = waiting.indexOf(enter);
          if (at >= 0) waiting.splice(at, 1);
          // Nothing happens when a place was given before.
          resolve(undefined);
        },
        { once: true },
      );
      return promise;
    },
  };
}
