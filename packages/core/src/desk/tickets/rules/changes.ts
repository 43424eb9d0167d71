import type { Ticket, TicketChange } from "../model.ts";
import { LISTS } from "./shape.ts";

/** The writer of an entry, and the time. */
export interface Stamp {
  readonly username: string;
  /** Unix seconds. */
  readonly now: number;
}

const SCALARS = ["subject", "type", "category", "server", "status", "due"] as const;

const entry = (key: string, { username, now }: Stamp): TicketChange => ({ type: "change", username, date: now, key });

export const createdEntry = (stamp: Stamp): TicketChange => entry("created", stamp);
export const deletedEntry = (stamp: Stamp): TicketChange => entry("delete", stamp);

/**
 * Entries of the history about an edit; none while the result is a draft (docs/contract/tickets.md#history,
 * docs/contract/tickets.md#drafts).
 */
export function automaticEntries(before: Ticket, after: Ticket, stamp: Stamp): TicketChange[] {
  if (after.status === "draft") return [];
  const scalars = SCALARS.filter((key) => !isSame(before[key], after[key]));
  const lists = LISTS.filter((key) => !hasSame(before[key], after[key]));
  return [
    ...scalars.map((key) => ({ ...entry(key, stamp), value: after[key] })),
    ...(before.body === after.body ? [] : [entry("body", stamp)]),
    ...lists.map((key) => ({ ...entry(key, stamp), value: after[key] })),
  ];
}

/** Absent and "" are the same, as for a ticket without a category. */
const isSame = (one: unknown, other: unknown): boolean => one === other || (!one && !other);

/** Whether two lists have the same entries, in any order. */
function hasSame(one: readonly string[], other: readonly string[]): boolean {
  const [sorted, expected] = [one.toSorted(), other.toSorted()];
  return sorted.length === expected.length && sorted.every((value, index) => value === expected[index]);
}

/**
 * The history with new entries. Automatic entries about one member by one author within one minute are deduplicated: the last one
 * stays. Time zones differ by whole minutes, so the minute is the same in each of them.
 */
export function appendEntries(changes: readonly TicketChange[], added: readonly TicketChange[]): TicketChange[] {
  const all = [...changes, ...added];
  if (!added.some(isAutomatic)) return all;
  const last = new Map<string, TicketChange>();
  for (const change of all) if (isAutomatic(change)) last.set(sortOf(change), change);
  return all.filter((change) => !isAutomatic(change) || last.get(sortOf(change)) === change);
}

/** Automatic entries have a `key` and no id; entries that people add have an id, and may have a `key` as well. */
const isAutomatic = ({ key, id }: TicketChange): boolean => key !== undefined && id === undefined;

const sortOf = ({ key, username, date }: TicketChange): string =>
  JSON.stringify([key, username, Math.floor(date / 60)]);

/** Members of an entry that cannot be altered. */
const FIXED: ReadonlySet<string> = new Set(["id", "username", "date", "type", "key"]);

/** An entry with an edit merged in. */
export function editEntry(change: TicketChange, sent: Readonly<Record<string, unknown>>, now: number): TicketChange {
  const members = Object.entries(sent).filter(([member]) => !FIXED.has(member));
  return { ...change, ...Object.fromEntries(members), edited: now };
}
