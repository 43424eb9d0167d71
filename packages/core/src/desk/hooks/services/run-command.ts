import { VERSION } from "../../../lib/process/version.ts";
import type { ProcessRunner } from "../../../ports/agents/process-runner.ts";
import type { Clock } from "../../../ports/clock.ts";

const TIMEOUT_SEC = 60;

interface Tools {
  readonly clock: Clock;
  readonly processes: ProcessRunner;
  readonly signal: AbortSignal;
  readonly baseUrl: string;
}

/** Runs a command line in the shell with one line as its input. Rejects unless it exits with 0 within a minute. */
export async function runCommand(
  command: string,
  stdin: string,
  { clock, processes, signal, baseUrl }: Tools,
): Promise<void> {
  const env = { XYOPS: VERSION, XYOPS_BASE_URL: baseUrl };
  const child = await processes.start({ command: "/bin/sh", args: ["-c", command], cwd: "", env, stdin });
  const { promise: stopped, resolve: stop } = Promise.withResolvers<string>();
  const abort = (): void => stop("was ended with the engine");
  using _timer = clock.after(TIMEOUT_SEC * 1000, () => stop(`was ended after ${TIMEOUT_SEC} seconds`));
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  // Output is read and dropped, since a full pipe would block the command.
  for (const output of [child.stdout, child.stderr]) discard(output).catch(() => undefined);
  try {
    const exit = await Promise.race([stopped, child.exited]);
    if (typeof exit === "string") {
      child.kill("SIGKILL", "all");
      throw new Error(`The command ${exit}`);
    }
    if (exit.code !== 0) throw new Error(`The command ended with ${exit.signal ?? `code ${exit.code}`}`);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

async function discard(output: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _piece of output);
}
