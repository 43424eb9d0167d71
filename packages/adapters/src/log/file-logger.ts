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
  readonly clock?: Pick<Clock, "after" | "now">;
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
/**
 * Milliseconds between two writes of lines below `warn`: a write takes five calls of the file system, a third of a millisecond of
 * processor time, and a busy host logs a line with each change.
 */
const PAUSE_MS = 100;
/** Unlike `systemClock`, keeps the process alive until the waiting lines are written. */
const WRITING_CLOCK: Pick<Clock, "after" | "now"> = {
  now: systemClock.now,
  after(delayMs, task) {
    const timer = setTimeout(task, delayMs);
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  },
};
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
  const { folder, level = "info", timeZone, also, clock = WRITING_CLOCK } = options;
  const { maxFileBytes = 64 * MEBIBYTE, maxBytes = 1024 * MEBIBYTE } = options;
  const files = logFolder(folder, { maxFileBytes, maxBytes });
  const writer = createWriter(files, clock);
  const context: LineContext = { hostname: hostname(), pid: process.pid, timeZone: knownZone(timeZone) };
  const logOf = createLogNames();

  const entry = (name: LogLevel) => (fields: LogFields, message: string) => {
    also?.[name](fields, message);
    const log = logOf(fields);
    if (RANKS[name] < RANKS[level] && log === MAIN) return;
    const time = clock.now();
    const line = lineOf({ time, level: name, component: log, fields, message }, context);
    const day = localDay(time, timeZone);
    writer.add(log, day, line);
    if (RANKS[name] < RANKS.warn) return;
    if (log !== "Error") writer.add("Error", day, line);
    // A fault may be the last line of a process.
    writer.hurry();
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

/** Names of the logs of components: only letters, digits and `_`, as they name files. */
function createLogNames(): (fields: LogFields) => string {
  const known = new Set([MAIN, "Error"]);
  return ({ component }) => {
    if (typeof component !== "string" || component === "") return MAIN;
    const name = component.slice(0, 64).replaceAll(/\W+/g, "_");
    if (known.size >= MAX_LOGS && !known.has(name)) return MAIN;
    known.add(name);
    return name;
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

/** Runs one task after the other. */
function createTurns(): <R>(work: () => Promise<R>) => Promise<R> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
}

/** Lines that wait for the disk, by file. */
function createWaiting() {
  let bunches = new Map<string, { readonly log: string; readonly day: string; readonly lines: string[] }>();
  let size = 0;
  let dropped = 0;
  return {
    isEmpty: () => bunches.size === 0,
    add(log: string, day: string, line: string): void {
      if (size + line.length > MAX_WAITING) {
        dropped += 1;
        return;
      }
      size += line.length;
      const key = `${log}.${day}`;
      const bunch = bunches.get(key) ?? { log, day, lines: [] };
      bunches.set(key, bunch);
      bunch.lines.push(line);
    },
    take() {
      const taken = {
        bunches: [...bunches.values()],
        note: dropped > 0 ? `(${dropped} lines were dropped here)\n` : "",
      };
      [bunches, size, dropped] = [new Map(), 0, 0];
      return taken;
    },
  };
}

/** Writes batches of lines to the disk one after the other, while the next batch accumulates. */
function createWriter(files: LogFolder, clock: Pick<Clock, "after">) {
  const waiting = createWaiting();
  const inTurn = createTurns();
  let isDue = false;
  let isPausing = false;

  async function write(): Promise<void> {
    isDue = false;
    const { bunches, note } = waiting.take();
    // A full disk must not make the logged work fail, and there is no other place to report it.
    for (const { log, day, lines } of bunches)
      await files.append(log, day, lines.join("") + note).catch(() => undefined);
  }
  function hurry(): void {
    if (isDue || waiting.isEmpty()) return;
    isDue = true;
    void inTurn(write);
  }
  function writeSoon(): void {
    if (isPausing) return;
    isPausing = true;
    clock.after(PAUSE_MS, () => {
      isPausing = false;
      if (!waiting.isEmpty()) writeSoon();
    });
    hurry();
  }
  return {
    add(log: string, day: string, line: string): void {
      waiting.add(log, day, line);
      writeSoon();
    },
    /** Writes the waiting lines at once. */
    hurry,
    /** Runs `work` after all lines so far are written. */
    run<R>(work: () => Promise<R>): Promise<R> {
      hurry();
      return inTurn(work);
    },
  };
}
