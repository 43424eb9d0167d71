import type { Unit } from "../../kernel/transactions/unit-of-work.ts";
import type { ReadTx, WriteTx } from "../../ports/storage/storage.ts";
import type { Ticket, TicketAuthor, TicketChanges, TicketDraft, TicketFile, TicketNote } from "./model.ts";

/** Time of the mail about a new ticket: at once, or after the debounce like mails of actions and hooks. */
export interface Announcement {
  readonly announce?: "once" | "debounced";
}

/** An edit of an entry that a person added: other members, or its removal. */
export type EntryEdit =
  | { readonly change: Readonly<Record<string, unknown>>; readonly delete?: false }
  | { readonly delete: true };

/**
 * The one writer of tickets. Everything happens inside the given unit of work: the per-ticket lock, numbering,
 * sanitising, the history, the activity row, the counters, the events after the commit, and the notes for mail. It
 * trusts its callers about privileges, restrictions and references (docs/contract/tickets.md#checks).
 */
export interface TicketDesk {
  /** Creates a ticket. Default announcement: "debounced". Throws `DomainError` when the id is taken. */
  create(unit: Unit, draft: TicketDraft, by: TicketAuthor & Announcement): Promise<Ticket>;
  /**
   * Sparse merge with automatic entries (docs/contract/tickets.md#history, docs/contract/tickets.md#drafts). `stored` is
   * the ticket as `lock` or another change in the same unit gave it.
   */
  update(unit: Unit, stored: Ticket, changes: TicketChanges, by: TicketAuthor): Promise<Ticket>;
  /** Adds an entry: a comment, or another type. Throws `DomainError` for an unknown id. */
  addChange(unit: Unit, id: string, note: TicketNote, by: TicketAuthor): Promise<Ticket>;
  /** Throws `DomainError` for an unknown ticket or entry, and for an entry of another author. */
  editChange(unit: Unit, ids: { ticket: string; change: string }, edit: EntryEdit, by: TicketAuthor): Promise<Ticket>;
  /**
   * Attaches and removes files under the ticket's lock: no entry, no mail, `modified` stays. An empty list leaves no
   * member behind. Throws `DomainError` for an unknown id.
   */
  setFiles(
    unit: Unit,
    id: string,
    next: (files: readonly TicketFile[]) => readonly TicketFile[],
    by: TicketAuthor,
  ): Promise<Ticket>;
  /**
   * Removes a ticket for good with its files and links (docs/contract/tickets.md#removal); undefined = there is none.
   */
  remove(unit: Unit, id: string, by: TicketAuthor): Promise<Ticket | undefined>;
  /** The reason why a ticket of this type is refused; undefined = it is not. */
  faultOfType(type: unknown): string | undefined;
  /** The number of the ticket to come. */
  nextNumber(tx: ReadTx): Promise<number>;
  /** Raises the numbers of new tickets above `floor`. */
  raiseNumber(tx: WriteTx, floor: number): Promise<void>;
  load(unit: { readonly tx: ReadTx }, id: string): Promise<Ticket | undefined>;
  /** Keeps other writers of the ticket waiting until the end of the transaction, and reads it. */
  lock(unit: { readonly tx: WriteTx }, id: string): Promise<Ticket | undefined>;
}
