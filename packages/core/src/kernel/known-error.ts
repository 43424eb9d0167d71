import type { IdGenerator } from "../ports/ids.ts";
import type { Logger } from "../ports/logger.ts";
import { DomainError, SignalboxError, type StorageError, storageErrorIn } from "./errors.ts";

interface Deps {
  readonly ids: IdGenerator;
  readonly log: Logger;
  readonly storageHealth: { readonly isRunning: boolean; note(error: StorageError): void };
}

/** What a caller is told of an error. One that nobody expected is logged, under an id that the caller is given. */
export function knownError(
  { ids, log, storageHealth }: Deps,
  error: unknown,
  { operation }: { readonly operation: string },
): SignalboxError {
  const fault = storageErrorIn(error);
  if (fault) storageHealth.note(fault);
  // A domain says that it failed; the caller is better served by why.
  if (fault && !(error instanceof DomainError && error.reason !== "failed")) return fault;
  if (error instanceof SignalboxError) return error;
  // Its stores are closed, which is nobody's fault: a host may still be serving while its engine stops.
  if (!storageHealth.isRunning) return new DomainError("api", "unavailable", "The engine is not running.");
  const requestId = ids.short("q");
  log.error({ requestId, operation, error }, "An operation failed unexpectedly");
  return new SignalboxError("internal", `Internal server error (${requestId})`, { cause: error });
}
