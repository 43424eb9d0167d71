import {
  type Clock,
  checkOptions,
  type LogFields,
  type Logger,
  type OptionRules,
  optional,
  optionalOneOf,
  optionalPositive,
  systemClock,
} from "@signalbox/core/adapter";
import { clip, isPlainObject, plain } from "./plain-fields.ts";

export type LogLevel = "debug" | "info" | "warn" | "error";

export interface JsonLoggerOptions {
  /** Receives one finished line, including its line feed. Default: writes to the standard output of the process. */
  readonly write?: (line: string) => void;
  /** Entries below it are dropped. Default `info`. */
  readonly level?: LogLevel;
  readonly clock?: Pick<Clock, "now">;
  /** Longest line in characters, line feed not counted; longer entries lose fields. Default 16384, at least 256. */
  readonly maxLineLength?: number;
}

export const RANKS: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };
const RULES: OptionRules<JsonLoggerOptions> = {
  write: optional,
  level: optionalOneOf(...Object.keys(RANKS)),
  clock: optional,
  maxLineLength: optionalPositive,
};

/**
 * Writes each entry as one line of JSON: `time` (Unix seconds), `level`, `msg`, then the fields.
 *
 * Errors become `{ name, message, stack, cause? }`. Members named like credentials (`api_key`, `password`, `token` …) are
 * replaced by `"[redacted]"` at every depth. Circular, deep, huge and throwing values are cut and never cause an exception: a log
 * line must not end the program that wrote it.
 */
export function jsonLogger(options: JsonLoggerOptions = {}): Logger {
  checkOptions("jsonLogger", options, RULES);
  const { level = "info", clock = systemClock } = options;
  const write = options.write ?? toStandardOutput();
  const maxLength = Math.max(256, options.maxLineLength ?? 16_384);
  const entry = (name: LogLevel) => (fields: LogFields, message: string) => {
    if (RANKS[name] < RANKS[level]) return;
    const head = { time: clock.now(), level: name, msg: clip(String(message), maxLength >> 1) };
    try {
      write(`${lineOf(head, fields, maxLength)}\n`);
    } catch {
      // The sink itself failed, and there is nowhere to report that.
    }
  };
  return { debug: entry("debug"), info: entry("info"), warn: entry("warn"), error: entry("error") };
}

const watched = new WeakSet<object>();
/** Most bytes that wait for a reader who does not read; further lines are dropped. */
const MAX_WAITING_BYTES = 8 * 1_048_576;

/** Without a listener, the `error` event of a pipe whose reader has ended would end this process. */
function toStandardOutput(): (line: string) => void {
  const { stdout } = process;
  let isTold = false;
  const tellOnce = ({ code, message }: NodeJS.ErrnoException): void => {
    if (!isTold) process.emitWarning(`Log lines cannot be written to the standard output: ${code ?? message}`);
    isTold = true;
  };
  if (!watched.has(stdout)) stdout.on("error", tellOnce);
  watched.add(stdout);
  return (line) => {
    if (stdout.writableLength < MAX_WAITING_BYTES) stdout.write(line);
    else tellOnce(new Error("its reader does not read"));
  };
}

/** Fields cannot take the place of time, level or message. */
function lineOf(
  head: { readonly time: number; readonly level: LogLevel; readonly msg: string },
  fields: LogFields,
  maxLength: number,
): string {
  const shown = plain(fields, 0, new Set());
  const full = JSON.stringify({ ...head, ...(isPlainObject(shown) ? shown : { fields: shown }), ...head });
  if (full.length <= maxLength) return full;
  const short = { ...head, truncated: full.length };
  const rest = JSON.stringify(shown);
  const room = maxLength - JSON.stringify({ ...short, fields: "" }).length;
  if (room < 1) return JSON.stringify({ ...short, msg: clip(head.msg, 40) });
  // Escaping the quotes again at most doubles the length; shrinks the fields until the line fits.
  for (let length = room; length > 16; length = length >> 1) {
    const line = JSON.stringify({ ...short, fields: clip(rest, length) });
    if (line.length <= maxLength) return line;
  }
  return JSON.stringify({ ...short, msg: clip(head.msg, 40) });
}
