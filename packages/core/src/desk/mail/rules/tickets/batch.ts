import type { TicketChange } from "../../../tickets/model.ts";
import { appendEntries } from "../../../tickets/rules/changes.ts";
import type { TicketMailBatch } from "../../model.ts";

/** Maximum entries in one mail; the newest ones are kept. */
const MAX_ENTRIES = 500;
/**
 * Multiple of the debounce time after which a mail is sent even if its ticket keeps changing (docs/contract/mail.md#debounce).
 */
const LONGEST_WAIT = 10;

export interface BatchAddition {
  readonly entries: readonly TicketChange[];
  readonly isNew: boolean;
  /** Unix seconds. */
  readonly now: number;
  readonly debounceSec: number;
}

/** Adds changes to a batch and restarts its debounce time. */
export function addToBatch(batch: TicketMailBatch, addition: BatchAddition): TicketMailBatch {
  const { entries, now, debounceSec } = addition;
  // A time in the future was stored before the clock was set back.
  const since = Math.min(batch.since, now);
  const latest = Math.max(now, since + debounceSec * LONGEST_WAIT);
  return {
    ...batch,
    since,
    entries: [...batch.entries, ...entries.map(withoutText)].slice(-MAX_ENTRIES),
    isNew: batch.isNew || addition.isNew || entries.some(({ key, id }) => key === "created" && id === undefined),
    due: Math.min(now + debounceSec, latest),
  };
}

/**
 * True while a batch must still wait. A due time further away than the debounce time was stored before the clock was set back, so
 * it is ignored. `now` is Unix seconds.
 */
export const isWaiting = ({ due }: Pick<TicketMailBatch, "due">, now: number, debounceSec: number): boolean =>
  due > now && due <= now + debounceSec;

/** Drops the text of a comment, which is read from the ticket later. */
function withoutText(entry: TicketChange): TicketChange {
  if (entry.id === undefined) return entry;
  const { id, type, username, date } = entry;
  return { id, type, username, date };
}

/**
 * The entries in their current form: edited entries as edited, without deleted and repeated ones
 * (docs/contract/tickets.md#history).
 */
export function entriesToTell(
  batch: Pick<TicketMailBatch, "entries">,
  history: readonly TicketChange[],
): readonly TicketChange[] {
  const current = new Map(history.flatMap((entry) => (entry.id === undefined ? [] : [[entry.id, entry]])));
  const entries = batch.entries.flatMap((entry) => (entry.id === undefined ? entry : (current.get(entry.id) ?? [])));
  return appendEntries([], entries);
}
