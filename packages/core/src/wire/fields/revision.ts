import * as z from "zod";
import { DomainError, InputError } from "../../kernel/errors/errors.ts";
import { Id, Title } from "./fields.ts";

/**
 * `if_revision`, the revision on which an update is based; absent or null = overwrite. `revision` itself is server-owned and
 * ignored: clients post whole records back, and the last write wins.
 */
export const sentRevision = z
  .union([z.int(), z.string().regex(/^[+-]?\d+$/)])
  .nullish()
  .describe("Revision that the change was made from; refused when another one is stored. Absent = overwrite.");

/** First members of an update of a record with an id and a title. */
export const updateMembers = { id: Id, title: Title.optional(), if_revision: sentRevision };

/** The condition as sent. */
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
 * Refuses a change that is based on another revision than the stored one (docs/contract/records.md#revisions). Call it inside the
 * transaction that writes, after checking the caller's reach. A record without a revision counts as revision 0. Steps such as
 * "+5" have no effect here.
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
