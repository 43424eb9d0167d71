import { hostname } from "node:os";
import {
  type Clock,
  checkOptions,
  type LogFields,
  type LogFiles,
  type Logger,
  type OptionRules,
  optional,
  optionalOneOf,
  optionalPositive,
  optionalText,
  requiredText,
  systemClock,
} from "@signalbox/core/adapter";
import { type LineContext, lineOf, localDay } from "./columns.ts";
import { type LogLevel, RANKS } from "./json-logger.ts";
import { type LogFolder, logFolder } from "./log-folder.ts";

export interface FileLoggerOptions {
  /** Folder of the files; created if missing. */
  readonly folder: string;
  /** Entries below it are dropped, unless their component has a level of its own. Default `info`. */
  readonly level?: LogLevel;
  /** Time zone of days and times, like `tz` in the configuration. Default: the machine's. */
  readonly timeZone?: string;
  /** When the file of a day exceeds this many bytes, it is compressed and another one is started. Default 64 MiB. */
  readonly maxFileBytes?: number;
  /** Bytes of all files together; beyond that, the oldest compressed ones are deleted. Default 1 GiB. */
  readonly maxBytes?: number;
  /** Also receives every entry; for example `jsonLogger()`, for lines on standard output. */
  readonly also?: Logger;
  readonly clock?: Pick<Clock, "now">;
}

/** A log that administrators can search: pass it both as `log` and as `logFiles`. */
export interface FileLogger extends Logger, LogFiles {
  /** Resolves when everything logged so far has been written to its file. */
  flush(): Promise<void>;
}

const RULES: OptionRules<FileLoggerOptions> = {
  folder: requiredText,
  level: optionalOneOf(...Object.keys(RANKS)),
  timeZone: optionalText,
  maxFileBytes: optionalPositive,
  maxBytes: optionalPositive,
  also: optional,
  clock: optional,
};
const MEBIBYTE = 1_048_576;
/**
 * Bytes of lines that may wait for the disk. Further lines are dropped and counted, so that logging does not exhaust the memory.
 */
const MAX_WAITING = 4 * MEBIBYTE;
/** Most separate logs; all further components share one. */
const MAX_LOGS = 50;
const MAIN = "Signalbox";

/**
 * Writes bracketed columns to `<component>.<day>.log`. Entries without a component go to `Signalbox`; warnings and errors also go
 * to `Error`. Members named like credentials are redacted.
 *
 * @example
 * const log = fileLogger({ folder: "data/logs", also: jsonLogger() });
 * createSignalbox({ storage, secretKey, log, logFiles: log });
 */
export function fileLogger(options: FileLoggerOptions): FileLogger {
  checkOptions("fileLogger", options, RULES);
  const { folder, level = "info", timeZone, also, clock = systemClock } = options;
  const { maxFileBytes = 64 * MEBIBYTE, maxBytes = 1024 * MEBIBYTE } = options;
  const files = logFolder(folder, { maxFileBytes, maxBytes });
  const writer = createWriter(files);
  const context: LineContext = { hostname: hostname(), pid: process.pid, timeZone: knownZone(timeZone) };
  const known = new Set([MAIN, "Error"]);

  /** Name of the log of a component: only letters, digits and `_`, as it names a file. */
  function logOf({ component }: LogFields): string {
    if (typeof component !== "string" || component === "") return MAIN;
    const name = component.slice(0, 64).replaceAll(/\W+/g, "_");
    if (known.size >= MAX_LOGS && !known.has(name)) return MAIN;
    known.add(name);
    return name;
  }

  const entry = (name: LogLevel) => (fields: LogFields, message: string) => {
    also?.[name](fields, message);
    const log = logOf(fields);
    if (RANKS[name] < RANKS[level] && log === MAIN) return;
    const time = clock.now();
    const line = lineOf({ time, level: name, component: log, fields, message }, context);
    const day = localDay(time, timeZone);
    writer.add(log, day, line);
    if (RANKS[name] >= RANKS.warn && log !== "Error") writer.add("Error", day, line);
  };

  const dayOf = (time: number): string => localDay(time, timeZone);
  return {
    debug: entry("debug"),
    info: entry("info"),
    warn: entry("warn"),
    error: entry("error"),
    flush: () => writer.run(async () => undefined),
    async read(name, day = dayOf(clock.now())) {
      await writer.run(async () => undefined);
      return files.read(name, day);
    },
    archive: (keepDays) =>
      writer.run(() => files.tidy(dayOf(clock.now()), dayOf(clock.now() - Math.max(1, keepDays) * 86_400))),
  };
}

/** Throws for an unknown zone now; otherwise every entry would throw, in the middle of the work that it reports. */
function knownZone(timeZone: string | undefined): string | undefined {
  try {
    localDay(0, timeZone);
    return timeZone;
  } catch (cause) {
    throw new TypeError(`fileLogger: unknown time zone: ${timeZone}`, { cause });
  }
}

/** Writes batches of lines to the disk one after the other, while the next batch accumulates. */
function createWriter(files: LogFolder) {
  let waiting = new Map<string, { log: string; day: string; lines: string[] }>();
  let size = 0;
  let dropped = 0;
  let last: Promise<unknown> = Promise.resolve();
  let isDue = false;

  async function write(): Promise<void> {
    isDue = false;
    const bunch = waiting;
    const lost = dropped;
    [waiting, size, dropped] = [new Map(), 0, 0];
    for (const { log, day, lines } of bunch.values()) {
      const note = lost > 0 ? `(${lost} lines were dropped here)\n` : "";
      // A full disk must not make the logged work fail, and there is no other place to report it.
      await files.append(log, day, lines.join("") + note).catch(() => undefined);
    }
  }

  function run<R>(work: () => Promise<R>): Promise<R> {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  }

  return {
    add(log: string, day: string, line: string): void {
      if (size + line.length > MAX_WAITING) {
        dropped += 1;
        return;
      }
      size += line.length;
      const key = `${log}.${day}`;
      const bunch = waiting.get(key) ?? { log, day, lines: [] };
      waiting.set(key, bunch);
      bunch.lines.push(line);
      if (isDue) return;
      isDue = true;
      void run(write);
    },
    run,
  };
}
