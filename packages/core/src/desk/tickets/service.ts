import type { Unit } from "../../kernel/transactions/unit-of-work.ts";
import type { ReadTx, WriteTx } from "../../ports/storage/storage.ts";
import type { Ticket, TicketAuthor, TicketChanges, TicketDraft, TicketFile, TicketNote } from "./model.ts";

/** When the mail about a new ticket is sent: immediately, or debounced like the mails of actions and hooks. */
export interface Announcement {
  readonly announce?: "once" | "debounced";
}

/** An edit of an entry that a person added: changed members, or its removal. */
export type EntryEdit =
  | { readonly change: Readonly<Record<string, unknown>>; readonly delete?: false }
  | { readonly delete: true };

/**
 * The only writer of tickets. Everything happens inside the given unit of work: the lock per ticket, numbering, sanitising,
 * history, activity row, counters, events after the commit, and the queued mails. Callers must check privileges, restrictions and
 * references (docs/contract/tickets.md#checks).
 */
export interface TicketDesk {
  /** Creates a ticket. Default announcement: "debounced". Throws `DomainError` when the id is taken. */
  create(unit: Unit, draft: TicketDraft, by: TicketAuthor & Announcement): Promise<Ticket>;
  /**
   * Sparse merge with automatic entries (docs/contract/tickets.md#history, docs/contract/tickets.md#drafts). `stored` is the
   * ticket as returned by `lock` or by another change in the same unit.
   */
  update(unit: Unit, stored: Ticket, changes: TicketChanges, by: TicketAuthor): Promise<Ticket>;
  /** Adds an entry: a comment, or another type. Throws `DomainError` for an unknown id. */
  addChange(unit: Unit, id: string, note: TicketNote, by: TicketAuthor): Promise<Ticket>;
  /** Throws `DomainError` for an unknown ticket or entry, and for an entry of another author. */
  editChange(unit: Unit, ids: { ticket: string; change: string }, edit: EntryEdit, by: TicketAuthor): Promise<Ticket>;
  /**
   * Attaches and removes files under the ticket's lock, without an entry, a mail or a new `modified`. An empty list leaves no
   * member behind. Throws `DomainError` for an unknown id.
   */
  setFiles(
    unit: Unit,
    id: string,
    next: (files: readonly TicketFile[]) => readonly TicketFile[],
    by: TicketAuthor,
  ): Promise<Ticket>;
  /** Removes a ticket permanently with its files and links (docs/contract/tickets.md#removal); undefined = it does not exist. */
  remove(unit: Unit, id: string, by: TicketAuthor): Promise<Ticket | undefined>;
  /** The reason why a ticket of this type is refused; undefined = it is accepted. */
  faultOfType(type: unknown): string | undefined;
  /** Number of the next ticket. */
  nextNumber(tx: ReadTx): Promise<number>;
  /** Makes the numbers of new tickets greater than `floor`. */
  raiseNumber(tx: WriteTx, floor: number): Promise<void>;
  load(unit: { readonly tx: ReadTx }, id: string): Promise<Ticket | undefined>;
  /** Reads the ticket and blocks its other writers until the end of the transaction. */
  lock(unit: { readonly tx: WriteTx }, id: string): Promise<Ticket | undefined>;
}
