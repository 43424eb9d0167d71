import type { Clock } from "./clock.ts";

/** Members of a structured log line. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Writes structured lines; a pino instance fits unchanged. */
export interface Logger {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}

const ignore = (): void => undefined;
/** A logger that drops all lines. */
export const silentLogger: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** Marks a logger that no host has given: it must not get lines that callers can cause at will. */
export interface Unasked {
  readonly unasked?: true;
}

export const isUnasked = (log: Logger & Unasked): boolean => log === silentLogger || log.unasked === true;

/**
 * The default logger: warnings and errors go to the console, so that no failure goes unseen. The other two levels would be noise.
 */
export const consoleLogger: Logger & Unasked = {
  ...silentLogger,
  unasked: true,
  warn: (fields, message) => toConsole("warn", fields, message),
  error: (fields, message) => toConsole("error", fields, message),
};

function toConsole(level: "warn" | "error", fields: LogFields, message: string): void {
  // Looks up the console at each call: hosts and tests replace it.
  if (Object.keys(fields).length === 0) console[level](`signalbox: ${message}`);
  else console[level](`signalbox: ${message}`, fields);
}

/** Swallows errors of a logger, which must not fail its callers: a full disk of logs would end the host's process. */
export function guardLogger(log: Logger): Logger {
  if (log === silentLogger || log === consoleLogger) return log;
  const guarded =
    (level: keyof Logger): Logger["info"] =>
    (fields, message) => {
      try {
        log[level](fields, message);
      } catch {
        // There is nowhere left to log this.
      }
    };
  return { debug: guarded("debug"), info: guarded("info"), warn: guarded("warn"), error: guarded("error") };
}

const SAME_MS = 60_000;

/**
 * Logs a repeated warning about an error once a minute, and at level `debug` in between: while a database is away, each retrying
 * loop would otherwise log a stack every second.
 */
export function warnOnceAMinute(log: Logger, clock: Pick<Clock, "monotonicMs">): Logger {
  const toldAt = new Map<string, number>();
  return {
    debug: (fields, message) => log.debug(fields, message),
    info: (fields, message) => log.info(fields, message),
    error: (fields, message) => log.error(fields, message),
    warn(fields, message) {
      if (fields["error"] === undefined) return log.warn(fields, message);
      const now = clock.monotonicMs();
      if (now - (toldAt.get(message) ?? Number.NEGATIVE_INFINITY) < SAME_MS) return log.debug(fields, message);
      toldAt.set(message, now);
      log.warn(fields, message);
    },
  };
}
