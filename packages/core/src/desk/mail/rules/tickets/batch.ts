import type { TicketChange } from "../../../tickets/model.ts";
import { appendEntries } from "../../../tickets/rules/changes.ts";
import type { TicketMailBatch } from "../../model.ts";

/** Entries of one mail; of more, the newest. */
const MAX_ENTRIES = 500;
/** Times the debounce after which a mail leaves, even if its ticket is still busy (docs/contract/mail.md#debounce). */
const LONGEST_WAIT = 10;

export interface BatchAddition {
  readonly entries: readonly TicketChange[];
  readonly isNew: boolean;
  /** Unix seconds. */
  readonly now: number;
  readonly debounceSec: number;
}

/** The batch with further changes; its wait begins again. */
export function addToBatch(batch: TicketMailBatch, addition: BatchAddition): TicketMailBatch {
  const { entries, now, debounceSec } = addition;
  // A clock that was ahead when the batch began has been set back since.
  const since = Math.min(batch.since, now);
  const latest = Math.max(now, since + debounceSec * LONGEST_WAIT);
  return {
    ...{ ...batch, since },
    entries: [...batch.entries, ...entries.map(withoutText)].slice(-MAX_ENTRIES),
    isNew: batch.isNew || addition.isNew || entries.some(({ key, id }) => key === "created" && id === undefined),
    due: Math.min(now + debounceSec, latest),
  };
}

/**
 * True when a batch waits on. It never waits for longer than the debounce from now on: a later time was set by a clock
 * that has been set back since. Unix seconds, and seconds.
 */
export const isWaiting = ({ due }: Pick<TicketMailBatch, "due">, now: number, debounceSec: number): boolean =>
  due > now && due <= now + debounceSec;

/** The text of a comment stays with the ticket. */
function withoutText(entry: TicketChange): TicketChange {
  if (entry.id === undefined) return entry;
  const { id, type, username, date } = entry;
  return { id, type, username, date };
}

/**
 * The entries as they are by now: edited ones as edited, deleted ones gone, repeated ones once
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
