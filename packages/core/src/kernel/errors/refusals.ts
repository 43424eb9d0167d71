import type { AnyOperation } from "../calls/operation.ts";

type Refusing = Pick<AnyOperation, "access" | "refuses">;

/** Failures that are not the caller's fault: the engine does not run, a part is broken, a store does not answer. */
export const FAILURE_CODES: readonly string[] = ["api", "internal", "storage"];

/** Codes for credentials that are missing, expired, disabled, or used too often. */
const OF_CREDENTIALS = ["session", "user", "rate"];

/**
 * The codes with which an operation may refuse a call: the common ones, the ones of its kind of access, and its own, in
 * alphabetical order.
 */
export function refusalCodes({ access, refuses = [] }: Refusing): readonly string[] {
  const general = access.kind === "anyone" ? ["api"] : ["api", "access", ...OF_CREDENTIALS];
  return [...new Set([...general, ...refuses])].toSorted();
}
