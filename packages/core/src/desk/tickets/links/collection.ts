import { defineCollection } from "../../../ports/storage/collection.ts";

/** An action that has created or reused its ticket. The id is the hash of its idempotency key. */
export type TicketRun = {
  id: string;
  readonly ticket: string;
  /** Description of the action's result. */
  readonly what: string;
  /** Unix seconds. */
  readonly created: number;
};

export const ticketRunCollection = defineCollection<TicketRun>({
  name: "ticket_runs",
  noun: "Ticket action",
  columns: { created: { type: "real", read: ({ created }) => created } },
});

/** The ticket in which people work on a problem. The id is the hash of the problem's key. */
export type TicketProblem = {
  id: string;
  /** "event:<id>", "alert:<id>:<server or other subject>", or "alert:<id>" for one ticket of all subjects. */
  readonly subject: string;
  readonly ticket: string;
  /** True = the ticket is closed when the problem is over. */
  readonly closes: boolean;
  /** Unix seconds of its last occurrence. */
  readonly last: number;
};

export const ticketProblemCollection = defineCollection<TicketProblem>({
  name: "ticket_problems",
  noun: "Ticket problem",
  columns: { last: { type: "real", read: ({ last }) => last } },
  terms: { subject: ({ subject }) => [subject], ticket: ({ ticket }) => [ticket] },
});
