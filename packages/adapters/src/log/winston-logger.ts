import type { LogFields, Logger } from "@signalbox/core/adapter";
import type { LogLevel } from "./json-logger.ts";
import { isPlainObject, plain } from "./plain-fields.ts";

/** The part of a winston logger that is used: one object per entry, in which a `%` in the message has no special meaning. */
export interface WinstonShaped {
  log(entry: { readonly level: LogLevel; readonly message: string; readonly [field: string]: unknown }): unknown;
}

/**
 * Passes entries to a winston logger with npm's levels, or with `debug`, `info`, `warn` and `error`.
 *
 * Fields become members of the entry in the same form as with `jsonLogger`: errors with their stack, credentials redacted. They
 * cannot replace `level` and `message`.
 *
 * @example
 * createSignalbox({ storage, secretKey, log: winstonLogger(winston.createLogger({ transports })) });
 */
export function winstonLogger(logger: WinstonShaped): Logger {
  if (typeof logger?.log !== "function") throw new TypeError("winstonLogger: it takes a logger of winston");
  const entry = (level: LogLevel) => (fields: LogFields, message: string) => {
    const shown = plain(fields, 0, new Set());
    logger.log({ ...(isPlainObject(shown) ? shown : { fields: shown }), level, message: String(message) });
  };
  return { debug: entry("debug"), info: entry("info"), warn: entry("warn"), error: entry("error") };
}
