import type { Logger } from "@signalbox/core/adapter";
import { ConflictError, StorageError } from "@signalbox/core/storage";
import type { SqlDialect } from "./dialect.ts";

export interface Faults {
  /** An error as callers see it: a fault of the database as `StorageError`, a lost race as its own error, any other unchanged. */
  translate(error: unknown): unknown;
  /** Throws the translated error; for use in `catch`. */
  refuse(error: unknown): never;
  /** Calls the listener with each fault of the database. */
  subscribe(listener: (error: StorageError) => void): Disposable;
}

export function createFaults({ isRace, faultOf }: Pick<SqlDialect, "isRace" | "faultOf">, log: Logger): Faults {
  const listeners = new Set<(error: StorageError) => void>();
  const tell = (error: StorageError): void => {
    for (const listener of [...listeners]) {
      try {
        listener(error);
      } catch (failure) {
        log.error({ error: failure }, "A listener to failures of the database failed");
      }
    }
  };
  const translate: Faults["translate"] = (error) => {
    if (error instanceof StorageError || error instanceof ConflictError) return error;
    if (isRace(error)) return new ConflictError("Another transaction was in the way", { cause: error });
    const fault = faultOf(error) ?? (error instanceof Error ? faultOf(error.cause) : undefined);
    if (!fault) return error;
    const known = new StorageError(fault, { cause: error });
    tell(known);
    return known;
  };
  return {
    translate,
    refuse(error) {
      throw translate(error);
    },
    subscribe(listener) {
      // Wrapped, so that subscribing the same function twice makes two subscriptions.
      const own = (error: StorageError): void => listener(error);
      listeners.add(own);
      return { [Symbol.dispose]: () => void listeners.delete(own) };
    },
  };
}
