import { DomainError, type DomainReason, InputError, type SignalboxError } from "@signalbox/core/plugin";

/** A web hook that fails in a test is not a failure of the call (docs/contract/web-hooks.md#test). */
const BY_CODE: Readonly<Record<string, number>> = { access: 403, session: 403, rate: 429, notfound: 404, webhook: 200 };
const BY_REASON: Readonly<Record<DomainReason, number>> = {
  unknown: 404,
  conflict: 409,
  malformed: 400,
  denied: 403,
  failed: 500,
  unavailable: 503,
};

/**
 * HTTP status of an error (docs/contract/errors.md#status). Paths without a version answer 200: their clients treat every other
 * status as a failure of the transport and lose the description.
 */
export function statusOf(error: SignalboxError, versioned: boolean): number {
  if (error.code === "master" || isUnavailable(error)) return 503;
  if (!versioned) return 200;
  if (error instanceof InputError) return error.status ?? 400;
  if (error instanceof DomainError) return BY_REASON[error.reason];
  return error.code === "api" ? 400 : (BY_CODE[error.code] ?? 500);
}

/** Agents use paths without a version, and retry a call only if its status says so. */
const isUnavailable = (error: SignalboxError): boolean =>
  error instanceof DomainError && error.reason === "unavailable";
