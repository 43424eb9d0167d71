import type { TicketChange } from "../tickets/model.ts";

/** Changes of a ticket that wait to be sent in one mail (docs/contract/mail.md#debounce). The id is the ticket's. */
export interface TicketMailBatch {
  id: string;
  /** Key of the mail, which stays the same when it is sent again. */
  readonly key: string;
  /** Entries with an id are read from the ticket when the mail is composed, since they may be edited or deleted by then. */
  readonly entries: readonly TicketChange[];
  /** Announces the ticket as new, even if there are entries. */
  readonly isNew: boolean;
  /** Unix seconds of the first change. */
  readonly since: number;
  /** Unix seconds at which the mail is composed. */
  readonly due: number;
}

/** Progress of the daily search for overdue tickets, in one record. */
export interface OverdueRun {
  id: string;
  /** Local day, "2026-11-21". */
  readonly day: string;
  /** Tickets up to this number have had their mail of the day; `done` = none is left. */
  readonly upTo: number;
  readonly done: boolean;
}
