import type { Clock, RunningProcess } from "@signalbox/core/adapter";
import { membersOf } from "@signalbox/core/adapter";
import { createLineSplitter, pump } from "../job/job-output.ts";
import { isOn } from "../job/job-record.ts";
import type { JobRun } from "../job/job-run.ts";

/** Characters of error output kept for the report of a failed script. */
const MAX_ERROR_TEXT = 32_768;

export interface ProcessOutput {
  /** Resolves when both pipes have ended. */
  readonly ended: Promise<unknown>;
  /** Closes the pipes and flushes the rest. */
  stop(): Promise<void>;
  /** The end of the error output, trimmed. */
  errorText(): string;
}

export interface OutputOptions {
  readonly clock: Clock;
  readonly isShell: boolean;
  /** Called when the plugin has reported its code. */
  readonly onComplete: () => void;
}

/** Reads both pipes of a child: updates go to the record, everything else to the log. */
export function attachOutput(child: RunningProcess, run: JobRun, options: OutputOptions): ProcessOutput {
  const { clock, isShell } = options;
  const params = membersOf(run.record.sent["params"]);
  const readsUpdates = !isShell || params["json"] !== false;
  const stamp = isShell && isOn(params["annotate"]) ? () => `[${timestamp(clock.now())}] ` : () => "";
  let errors = "";
  const stdout = createLineSplitter((line) => {
    const update = readsUpdates ? updateOf(line) : undefined;
    if (!update) return run.log(stamp() + line);
    if (!run.record.apply(update)) return;
    run.changed();
    if (run.record.isComplete()) options.onComplete();
  });
  const stderr = createLineSplitter((line) => {
    errors += line;
    // Cuts only at twice the bound, because cutting copies the whole text.
    if (errors.length > 2 * MAX_ERROR_TEXT) errors = errors.slice(-MAX_ERROR_TEXT);
    run.log(stamp() + line);
  });
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  const ended = Promise.all([
    pump(child.stdout, stdout.write, { clock, stopped }).finally(stdout.end),
    pump(child.stderr, stderr.write, { clock, stopped }).finally(stderr.end),
  ]);
  return {
    ended,
    errorText: () => errors.slice(-MAX_ERROR_TEXT).trim(),
    async stop() {
      stop();
      await ended;
    },
  };
}

/** Parses a line that is a JSON object with `xy: 1`. */
function updateOf(line: string): Readonly<Record<string, unknown>> | undefined {
  // Failing to parse other text takes twenty microseconds, and a program may write thousands of such lines at once.
  if (!line.includes('"xy"') || !/^\s*\{/.test(line) || !/\}\s*$/.test(line)) return undefined;
  try {
    const update = membersOf(JSON.parse(line));
    return update["xy"] === 1 ? update : undefined;
  } catch {
    // The text only looks like an object.
    return undefined;
  }
}

/** `2026/11/21 12:03:27` in the time zone of the machine. */
function timestamp(sec: number): string {
  const date = new Date(sec * 1000);
  const two = (value: number): string => String(value).padStart(2, "0");
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("/");
  return `${day} ${[two(date.getHours()), two(date.getMinutes()), two(date.getSeconds())].join(":")}`;
}
