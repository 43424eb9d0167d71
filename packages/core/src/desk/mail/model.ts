import type { TicketChange } from "../tickets/model.ts";

/** Changes of a ticket that wait to be told of in one mail (docs/contract/mail.md#debounce). The id is the ticket's. */
export interface TicketMailBatch {
  id: string;
  /** Key of the mail, so that a repeat of it is the same mail. */
  readonly key: string;
  /** Entries that have an id are read from the ticket when the mail is made: they may be edited or gone by then. */
  readonly entries: readonly TicketChange[];
  /** Tells of the ticket as a new one, even if it has entries. */
  readonly isNew: boolean;
  /** Unix seconds of the first change. */
  readonly since: number;
  /** Unix seconds when the mail is made. */
  readonly due: number;
}

/** Progress of the daily look for overdue tickets, in one row. */
export interface OverdueRun {
  id: string;
  /** Local day, "2026-11-21". */
  readonly day: string;
  /** Tickets up to this number have their mail of the day; `done` when there is none left. */
  readonly upTo: number;
  readonly done: boolean;
}
