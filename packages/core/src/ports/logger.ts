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
/** Says nothing. */
export const silentLogger: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** A logger that throws must not fail what it was told about: a full disk of logs would end the host's process. */
export function guardLogger(log: Logger): Logger {
  if (log === silentLogger) return log;
  const guarded =
    (level: keyof Logger): Logger["info"] =>
    (fields, message) => {
      try {
        log[level](fields, message);
      } catch {
        // There is nobody left to tell.
      }
    };
  return { debug: guarded("debug"), info: guarded("info"), warn: guarded("warn"), error: guarded("error") };
}
