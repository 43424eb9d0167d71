import type { IdGenerator } from "../../ports/ids.ts";
import type { Logger } from "../../ports/logger.ts";
import { DomainError, SignalboxError, type StorageError, storageErrorIn } from "./errors.ts";

interface Running {
  readonly phase: "new" | "running" | "over";
}

interface Deps {
  readonly ids: IdGenerator;
  readonly log: Logger;
  readonly storageHealth: Running & { note(error: StorageError): void };
}

/** Refusal while the stores are closed: the engine was not started, or the host still serves requests while its engine stops. */
export const notRunning = (operation: string, { phase }: Running): SignalboxError =>
  new DomainError(
    "api",
    "unavailable",
    phase === "over"
      ? `The engine is not running: it was stopped before ${operation} was called. createSignalbox makes another one.`
      : `The engine is not running: wait for start() before ${operation} is called.`,
  );

/** Converts an error into the one that its caller sees. An unexpected error is logged under an id, and the caller gets the id. */
export function knownError(
  { ids, log, storageHealth }: Deps,
  error: unknown,
  { operation }: { readonly operation: string },
): SignalboxError {
  const fault = storageErrorIn(error);
  if (fault) storageHealth.note(fault);
  // For a domain's "failed", the failure of the store is the more useful answer.
  if (fault && !(error instanceof DomainError && error.reason !== "failed")) return fault;
  if (error instanceof SignalboxError) return error;
  if (storageHealth.phase !== "running") return notRunning(operation, storageHealth);
  const requestId = ids.short("q");
  log.error({ requestId, operation, error }, "An operation failed unexpectedly");
  return new SignalboxError("internal", `Internal server error (${requestId})`, { cause: error });
}
