import type { Api } from "./api.ts";
import type { Refusals } from "./refusals.ts";

/**
 * Codes of failures, in this order: no answer came; the answer was not the API's; the mount denies the caller everything; the
 * host has read the body; the service is broken, or one of its stores is.
 */
type FailureCode = "network" | "http" | "access" | "body" | "internal" | "storage";

/** Codes with which a call of a method may be refused or fail, on an engine of this version without additional plugins. */
export type CodeOf<Name extends keyof Api> = Refusals[Name] | FailureCode;

/** A refused or failed call: `code` for programs, `description` for people. */
export class SignalboxError<Code extends string = string> extends Error {
  override readonly name = "SignalboxError";
  /** A code of docs/contract/errors.md; "network" when no answer came, "http" when the answer was not the API's. */
  readonly code: Code;
  readonly description: string;
  /** HTTP status of the answer; 0 when there was none. */
  readonly status: number;
  readonly details: unknown;

  constructor(code: Code, description: string, { status = 0, details, cause }: ErrorFacts = {}) {
    super(description, cause === undefined ? undefined : { cause });
    this.code = code;
    this.description = description;
    this.status = status;
    this.details = details;
  }
}

/**
 * True for the error of a refused or failed call of the named method; its `code` is then one of that operation's.
 *
 * @example
 * if (isErrorOf<"deleteEvent">(error) && error.code === "event") console.log("Not now:", error.description);
 */
export const isErrorOf = <Name extends keyof Api>(error: unknown): error is SignalboxError<CodeOf<Name>> =>
  error instanceof SignalboxError;

interface ErrorFacts {
  readonly status?: number;
  readonly details?: unknown;
  readonly cause?: unknown;
}

const hint = (status: number): string => (status === 404 ? ": does url lead to the API, up to /api?" : "");

/** The error of a failed answer from any sender: a proxy answers with pages of its own. */
export async function errorOf(response: Response): Promise<SignalboxError> {
  const { status } = response;
  const answer: unknown = await response.json().catch(() => undefined);
  const { code, description, details } = (answer ?? {}) as Record<string, unknown>;
  if (typeof code !== "string")
    return new SignalboxError("http", `The server answered ${status}${hint(status)}`, { status });
  return new SignalboxError(code, typeof description === "string" ? description : code, { status, details });
}
