import { textsOf } from "../../../../lib/text/text-of.ts";

type Members = Readonly<Record<string, unknown>>;

/** Members of a ticket action that the contract does not name. */
export interface TicketOptions {
  /** True = a repeat of the same problem goes into the ticket that is open for it. */
  readonly reuses: boolean;
  /** True = the ticket is closed when the problem is over. */
  readonly closes: boolean;
  /** True = all subjects of the alert have one ticket. */
  readonly isJoint: boolean;
}

export interface Kind {
  readonly side: "job" | "alert";
  /** True = each firing of an alert has a ticket of its own where its action says nothing about reuse. */
  readonly isAnew: boolean;
}

/** Reads the members of a ticket action; for defaults see docs/contract/tickets.md#the-ticket-action. */
export function optionsOf({ reuse, close_on_clear: closes, per }: Members, { side, isAnew }: Kind): TicketOptions {
  const isOpen = reuse ? reuse === "open" : side === "alert" && !isAnew;
  return { reuses: isOpen, closes: Boolean(closes), isJoint: side === "alert" && per === "problem" };
}

/** True when the ticket action of a job or an alert asks for its ticket to be closed. */
export const isClosing = ({ type, enabled, close_on_clear: closes }: Members): boolean =>
  type === "ticket" && Boolean(enabled) && Boolean(closes);

export const eventSubject = (event: string): string => `event:${event}`;
export const alertSubjectKey = (alert: string, place: string): string => `alert:${alert}:${place}`;
/** Key of the one problem for all subjects of an alert. */
export const alertProblem = (alert: string): string => `alert:${alert}`;

/** Key that tells ticket actions of one list apart (docs/contract/actions.md#a-phase, docs/contract/alerts.md#list). */
export const ticketTarget = ({ ticket_type, ticket_assignees, ticket_tags }: Members): string =>
  JSON.stringify([ticket_type, ticket_assignees, ticket_tags]);

/** Different actions on one problem have different tickets: one for each team. Order makes no difference. */
export const problemKey = (subject: string, action: Members, once?: string): string =>
  JSON.stringify([
    subject,
    action["ticket_type"],
    textsOf(action["ticket_assignees"]).toSorted(),
    textsOf(action["ticket_tags"]).toSorted(),
    ...(once === undefined ? [] : [once]),
  ]);

const OVER: ReadonlySet<string> = new Set(["closed", "resolved", "draft"]);

/** Whether people work on a ticket. A draft is shown to its author alone, so a repeat would be lost in it. */
export const isOpen = ({ status }: { readonly status: string }): boolean => !OVER.has(status);
