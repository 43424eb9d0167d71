import { DomainError, type DomainReason, InputError, type SignalboxError } from "@signalbox/core/plugin";

/** A web hook that failed while it was tested is no failure of the call (docs/contract/web-hooks.md#test). */
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
 * HTTP status of an error (docs/contract/errors.md#status). Paths without a version answer 200: their clients take
 * every other status for a failure of the transport and lose the description.
 */
export function statusOf(error: SignalboxError, versioned: boolean): number {
  if (error.code === "master" || isUnavailable(error)) return 503;
  if (!versioned) return 200;
  if (error instanceof InputError) return error.status ?? 400;
  if (error instanceof DomainError) return BY_REASON[error.reason];
  return error.code === "api" ? 400 : (BY_CODE[error.code] ?? 500);
}

/** Agents call without a version and repeat a call only when its status asks for it. */
const isUnavailable = (error: SignalboxError): boolean =>
  error instanceof DomainError && error.reason === "unavailable";
