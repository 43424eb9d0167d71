/** Members of a structured log line. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Structured lines; a pino instance fits as it is. */
export interface Logger {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}

const ignore = (): void => undefined;
/** A logger that drops all lines. */
export const silentLogger: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** Mark of a logger that no host has given: lines that callers can cause at will do not belong there. */
export interface Unasked {
  readonly unasked?: true;
}

export const isUnasked = (log: Logger & Unasked): boolean => log === silentLogger || log.unasked === true;

/**
 * The logger of a host that gives none: warnings and errors go to the console, so that nothing goes wrong unseen.
 * Lines of the other two levels would be noise.
 */
export const consoleLogger: Logger & Unasked = {
  ...silentLogger,
  unasked: true,
  warn: (fields, message) => toConsole("warn", fields, message),
  error: (fields, message) => toConsole("error", fields, message),
};

function toConsole(level: "warn" | "error", fields: LogFields, message: string): void {
  // The console of this moment: hosts and tests put their own in its place.
  if (Object.keys(fields).length === 0) console[level](`signalbox: ${message}`);
  else console[level](`signalbox: ${message}`, fields);
}

/** Catches errors of a logger, which must not fail its callers: a full disk of logs would end the host's process. */
export function guardLogger(log: Logger): Logger {
  if (log === silentLogger || log === consoleLogger) return log;
  const guarded =
    (level: keyof Logger): Logger["info"] =>
    (fields, message) => {
      try {
        log[level](fields, message);
      } catch {
        // No other place is left to log to.
      }
    };
  return { debug: guarded("debug"), info: guarded("info"), warn: guarded("warn"), error: guarded("error") };
}
