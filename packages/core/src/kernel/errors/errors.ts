export interface ErrorOptions {
  readonly cause?: unknown;
  /** Further wire members besides `code` and `description`. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/**
 * Most characters of a description. It may repeat input of callers and also goes into logs; a longer one would not help anyone.
 */
const MAX_DESCRIPTION = 4096;

/**
 * Base of every error that may reach a client: `code` and `description` are the wire body (docs/contract/errors.md).
 */
export class SignalboxError extends Error {
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;
  constructor(code: string, description: string, { cause, details = {} }: ErrorOptions = {}) {
    super(description.slice(0, MAX_DESCRIPTION), cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.code = code;
    this.details = details;
  }
  get description(): string {
    return this.message;
  }
}

/** A parameter is missing or malformed, or a key is unusable. */
export class InputError extends SignalboxError {
  /** HTTP status on versioned paths where it is not 400. */
  readonly status: number | undefined;
  constructor(description: string, options: ErrorOptions & { status?: number } = {}) {
    super("api", description, options);
    this.status = options.status;
  }
}

/** The caller is known but may not do this. */
export class AccessError extends SignalboxError {
  constructor(description: string, options?: ErrorOptions) {
    super("access", description, options);
  }
}

/** The caller is unknown. */
export class SessionError extends SignalboxError {
  constructor(description: string, options?: ErrorOptions) {
    super("session", description, options);
  }
}

/** The caller exceeds its rate limit. */
export class RateError extends SignalboxError {
  constructor(description: string, options?: ErrorOptions) {
    super("rate", description, options);
  }
}

/** A single read of an unknown id found nothing. */
export class NotFoundError extends SignalboxError {
  constructor(description: string, options?: ErrorOptions) {
    super("notfound", description, options);
  }
}

/**
 * Why a domain refused: the id is unknown, the state or a reference forbids it, a value is malformed, the caller has not shown
 * the right to it, or storage failed. "unavailable": the same call may succeed later; over HTTP every operation then uses that
 * status (docs/contract/errors.md#status).
 */
export type DomainReason = "unknown" | "conflict" | "malformed" | "denied" | "failed" | "unavailable";

/** A rule of a domain refused; `noun` is the wire code ("tag", "category", "job"). */
export class DomainError extends SignalboxError {
  readonly reason: DomainReason;
  constructor(noun: string, reason: DomainReason, description: string, options?: ErrorOptions) {
    super(noun, description, options);
    this.reason = reason;
  }
}

/**
 * What is wrong with a store: it is full, refuses writes, holds unreadable data, is locked by another program, or does not
 * answer.
 */
export type StorageFault = "full" | "read-only" | "damaged" | "locked" | "gone";

/** The store of records, or the store of files and long logs. */
export type StoreName = "database" | "file store";

const FAULTS: Readonly<Record<StorageFault, string>> = {
  full: "is full: nothing can be saved until there is room again",
  "read-only": "is read-only: nothing can be saved",
  damaged: "is damaged: some of it cannot be read or saved",
  locked: "is locked by another program: try again later",
  gone: "does not answer: try again later",
};

/** Faults that look like faults of a store, but have their cause in this process or machine, by the system's code. */
const LIMITS: Readonly<Record<string, string>> = {
  EMFILE: "cannot be used: this process has too many files and connections open; raise its limit (ulimit -n)",
  ENFILE: "cannot be used: this machine has too many files and connections open",
};

/** A store failed for a reason outside of the request: code "storage", and 503 because the same call may succeed later. */
export class StorageError extends DomainError {
  readonly fault: StorageFault;
  readonly store: StoreName;
  /** `description` is for people who start the engine; the default is a sentence for callers. */
  constructor(fault: StorageFault, { store = "database", description, cause }: StorageErrorOptions = {}) {
    const sentence = LIMITS[(cause as { readonly code?: string } | undefined)?.code ?? ""] ?? FAULTS[fault];
    super("storage", "unavailable", description ?? `The ${store} ${sentence}.`, { cause });
    this.fault = fault;
    this.store = store;
  }
}

interface StorageErrorOptions {
  readonly store?: StoreName;
  readonly description?: string;
  readonly cause?: unknown;
}

const MAX_CAUSES = 8;

/** The store failure in an error's chain of causes, if any. */
export function storageErrorIn(error: unknown): StorageError | undefined {
  let current = error;
  for (let depth = 0; depth < MAX_CAUSES && current instanceof Error; depth++) {
    if (current instanceof StorageError) return current;
    current = current.cause;
  }
  return undefined;
}

/** A record changed under a transaction; the pipeline retries the command. */
export class ConflictError extends Error {
  override readonly name = "ConflictError";
  /** Unique name of the record: the next attempt takes a lock for it. Absent = the conflict is not about a single record. */
  readonly record: string | undefined;
  constructor(message: string, { record, ...options }: { readonly cause?: unknown; readonly record?: string } = {}) {
    super(message, options);
    this.record = record;
  }
}

/** An id or a unique column is taken; domains turn it into their own `DomainError`. */
export class DuplicateError extends Error {
  override readonly name = "DuplicateError";
}
