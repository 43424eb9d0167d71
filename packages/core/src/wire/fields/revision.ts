import * as z from "zod";
import { DomainError, InputError } from "../../kernel/errors/errors.ts";

/**
 * The revision that an update was made from, in `if_revision`; absent or null = overwrite. `revision` itself is the
 * server's: clients post records back whole, and the last one wins.
 */
export const sentRevision = z
  .union([z.int(), z.string().regex(/^[+-]?\d+$/)])
  .nullish()
  .describe("Revision that the change was made from; refused when another one is stored. Absent = overwrite.");

/** The condition as it is sent. */
export interface Condition {
  readonly if_revision?: unknown;
}

interface Refusal {
  /** Wire code: "web_hook". */
  readonly code: string;
  /** "Web Hook", as in "Web Hook out of date: …". */
  readonly noun: string;
}

/**
 * Refuses a change that was made from another state of the record than the one that is stored
 * (docs/contract/records.md#revisions): called inside the transaction that writes, and after the caller's reach was
 * checked. A record without a revision is at 0. Steps like "+5" mean nothing here.
 */
export function requireRevision({ code, noun }: Refusal, stored: { readonly id: string }, sent: Condition): void {
  const wanted = readRevision(sent.if_revision);
  const { id, revision } = stored as { readonly id: string; readonly revision?: unknown };
  const current = typeof revision === "number" ? revision : 0;
  if (wanted === undefined || wanted === current) return;
  throw new DomainError(code, "conflict", `${noun} out of date: ${id} (Revision mismatch: ${wanted} != ${current})`);
}

function readRevision(sent: unknown): number | undefined {
  if (sent === undefined || sent === null) return undefined;
  if (typeof sent === "number" && Number.isInteger(sent)) return sent;
  if (typeof sent !== "string" || !/^[+-]?\d+$/.test(sent)) throw new InputError("Malformed parameter: if_revision");
  return /^\d/.test(sent) ? Number(sent) : undefined;
}
