import type { ProcessExit, RunningProcess } from "../../../ports/agents/process-runner.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Written } from "../rules/output/mask-answer.ts";

/** Why a process was killed: it timed out, wrote too much, or its caller left. */
export type Stop = "timeout" | "flood" | "abort";

export interface Followed {
  readonly stdout: Written;
  readonly stderr: Written;
  readonly outcome: ProcessExit | Stop;
}

/** Bytes of each output stream. */
const MAX_OUTPUT = 1_048_576;
/** Milliseconds that the pipes of a killed process group may stay open. */
const GRACE_MS = 1000;

/** Reads both outputs of a process until they end; kills the whole process group when a bound is exceeded. */
export async function followProcess(
  child: RunningProcess,
  { clock, timeoutSec, signal }: { readonly clock: Clock; readonly timeoutSec: number; readonly signal: AbortSignal },
): Promise<Followed> {
  const { promise: stopped, resolve: stop } = Promise.withResolvers<Stop>();
  const abort = (): void => stop("abort");
  const [stdout, stderr] = [child.stdout, child.stderr].map((stream) => createCapture(stream, () => stop("flood"))) as [
    Capture,
    Capture,
  ];
  const ended = Promise.all([stdout.done, stderr.done, child.exited]).then(([, , exit]) => exit);
  using _timer = clock.after(timeoutSec * 1000, () => stop("timeout"));
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  try {
    const outcome = await Promise.race([stopped, ended]);
    if (typeof outcome === "string") {
      child.kill("SIGKILL", "all");
      await within(ended, clock);
    }
    return { stdout: stdout.written(), stderr: stderr.written(), outcome };
  } finally {
    signal.removeEventListener("abort", abort);
    for (const each of [stdout, stderr]) each.close();
  }
}

async function within(ended: Promise<unknown>, clock: Clock): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  using _timer = clock.after(GRACE_MS, resolve);
  await Promise.race([ended, late]);
}

interface Capture {
  /** Settles when the stream ends or the bound is reached. */
  readonly done: Promise<void>;
  written(): Written;
  close(): void;
}

function createCapture(stream: AsyncIterable<Uint8Array>, full: () => void): Capture {
  const source = stream[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isCut = false;
  const read = async (): Promise<void> => {
    for (let step = await source.next(); !step.done; step = await source.next()) {
      const taken = step.value.subarray(0, MAX_OUTPUT - size);
      chunks.push(taken);
      size += taken.length;
      if (taken.length === step.value.length) continue;
      isCut = true;
      full();
      return;
    }
  };
  return {
    done: read(),
    written: () => ({ text: Buffer.concat(chunks).toString("utf8"), isCut }),
    // A generator that waits for its next chunk cannot be closed before the chunk arrives, so this does not wait.
    close: () => void source.return?.(),
  };
}

/** Says how a process failed, as text to follow its name; undefined = it succeeded. */
export function faultOf(outcome: Followed["outcome"], timeoutSec: number): string | undefined {
  if (outcome === "timeout") return `timed out after ${timeoutSec} seconds.`;
  if (outcome === "flood") return `wrote more than ${MAX_OUTPUT} bytes.`;
  if (outcome === "abort") return "was ended before it was done.";
  if (outcome.code === 0) return undefined;
  return outcome.code === null ? `was ended by ${outcome.signal}.` : `exited with code ${outcome.code}.`;
}
