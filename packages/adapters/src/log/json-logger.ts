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

export type LogLevel = "debug" | "info" | "warn" | "error";

export interface JsonLoggerOptions {
  /** Takes one finished line, its line feed included. Default: standard output of the process. */
  readonly write?: (line: string) => void;
  /** Entries below it are dropped. Default `info`. */
  readonly level?: LogLevel;
  readonly clock?: Pick<Clock, "now">;
  /** Longest line in characters, line feed not counted; longer entries lose fields. Default 16384, at least 256. */
  readonly maxLineLength?: number;
}

const RANKS: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };
const MAX_DEPTH = 6;
const MAX_MEMBERS = 100;
const MAX_TEXT = 8192;
const HIDDEN = "[redacted]";
/** Members that carry credentials, compared without case, dashes and underscores. */
const CREDENTIALS = new Set([
  "apikey",
  "xapikey",
  "sessionid",
  "xsessionid",
  "password",
  "secretkey",
  "authorization",
  "proxyauthorization",
  "cookie",
  "setcookie",
  "token",
  "authtoken",
  "csrftoken",
  "xcsrftoken",
]);

const RULES: OptionRules<JsonLoggerOptions> = {
  write: optional,
  level: optionalOneOf(...Object.keys(RANKS)),
  clock: optional,
  maxLineLength: optionalPositive,
};

/**
 * Writes each entry as one line of JSON: `time` (Unix seconds), `level`, `msg`, then the fields.
 *
 * Errors become `{ name, message, stack, cause? }`. Members named like credentials (`api_key`, `password`, `token` …)
 * are replaced by `"[redacted]"` at every depth. Circular, deep, huge and throwing values are cut, never thrown on:
 * a log line must not end the program that wrote it.
 */
export function jsonLogger(options: JsonLoggerOptions = {}): Logger {
  checkOptions("jsonLogger", options, RULES);
  const { level = "info", clock = systemClock } = options;
  const write = options.write ?? ((line: string) => void process.stdout.write(line));
  const maxLength = Math.max(256, options.maxLineLength ?? 16_384);
  const entry = (name: LogLevel) => (fields: LogFields, message: string) => {
    if (RANKS[name] < RANKS[level]) return;
    const head = { time: clock.now(), level: name, msg: clip(String(message), maxLength >> 1) };
    try {
      write(`${lineOf(head, fields, maxLength)}\n`);
    } catch {
      // The sink is broken; there is nowhere left to say so.
    }
  };
  return { debug: entry("debug"), info: entry("info"), warn: entry("warn"), error: entry("error") };
}

interface Head {
  readonly time: number;
  readonly level: LogLevel;
  readonly msg: string;
}

/** Fields cannot take the place of time, level or message. */
function lineOf(head: Head, fields: LogFields, maxLength: number): string {
  const shown = plain(fields, 0, new Set());
  const full = JSON.stringify({ ...head, ...(isPlainObject(shown) ? shown : { fields: shown }), ...head });
  if (full.length <= maxLength) return full;
  const short = { ...head, truncated: full.length };
  const rest = JSON.stringify(shown);
  const room = maxLength - JSON.stringify({ ...short, fields: "" }).length;
  if (room < 1) return JSON.stringify({ ...short, msg: clip(head.msg, 40) });
  // Quoting doubles quotes at most twice over; shrink until the line fits.
  for (let length = room; length > 16; length = length >> 1) {
    const line = JSON.stringify({ ...short, fields: clip(rest, length) });
    if (line.length <= maxLength) return line;
  }
  return JSON.stringify({ ...short, msg: clip(head.msg, 40) });
}

/** A copy that JSON can always print. `path` holds the ancestors, so that a value used twice is not taken for a circle. */
function plain(value: unknown, depth: number, path: Set<object>): unknown {
  if (typeof value === "string") return clip(value, MAX_TEXT);
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "function" || typeof value === "symbol") return `[${typeof value}]`;
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (typeof value !== "object" || value === null) return value;
  if (path.has(value)) return "[circular]";
  if (depth >= MAX_DEPTH) return "[deep]";
  path.add(value);
  try {
    return plainObject(value, depth, path);
  } catch {
    // A getter, a proxy or toJSON of the host threw; the rest of the entry is still worth having.
    return "[unreadable]";
  } finally {
    path.delete(value);
  }
}

function plainObject(value: object, depth: number, path: Set<object>): unknown {
  if (value instanceof Error) return errorOf(value, depth, path);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString();
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.slice(0, MAX_MEMBERS).map((member) => plain(member, depth + 1, path));
  if (value instanceof Map || value instanceof Set) return plain([...value].slice(0, MAX_MEMBERS), depth + 1, path);
  return membersOf(value, Object.keys(value), depth, path);
}

function errorOf(error: Error, depth: number, path: Set<object>): unknown {
  const { name, message, stack } = error;
  const own = Object.keys(error).filter((key) => !["name", "message", "stack"].includes(key));
  const keys = error.cause === undefined || own.includes("cause") ? own : [...own, "cause"];
  return {
    name,
    message: clip(message, MAX_TEXT),
    stack: clip(stack ?? "", MAX_TEXT),
    ...membersOf(error, keys, depth, path),
  };
}

function membersOf(value: object, keys: string[], depth: number, path: Set<object>): Record<string, unknown> {
  const members: [string, unknown][] = keys.slice(0, MAX_MEMBERS).map((key) => {
    if (CREDENTIALS.has(key.toLowerCase().replaceAll(/[-_]/g, ""))) return [key, HIDDEN];
    return [key, plain((value as Record<string, unknown>)[key], depth + 1, path)];
  });
  return Object.fromEntries(members);
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function clip(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`;
}
