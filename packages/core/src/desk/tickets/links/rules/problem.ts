import { textsOf } from "../../../../lib/text/text-of.ts";

type Members = Readonly<Record<string, unknown>>;

/** Members of a ticket action that the contract does not name. */
export interface TicketOptions {
  /** True = a repeat of the same problem is added to its open ticket. */
  readonly reuses: boolean;
  /** True = the ticket is closed when the problem is over. */
  readonly closes: boolean;
  /** True = all subjects of the alert have one ticket. */
  readonly isJoint: boolean;
}

export interface Kind {
  readonly side: "job" | "alert";
  /** True = each firing of an alert gets its own ticket if its action does not mention reuse. */
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
/** Key of the problem that all subjects of an alert share. */
export const alertProblem = (alert: string): string => `alert:${alert}`;

/** Key that distinguishes the ticket actions of a list (docs/contract/actions.md#a-phase, docs/contract/alerts.md#list). */
export const ticketTarget = ({ ticket_type, ticket_assignees, ticket_tags }: Members): string =>
  JSON.stringify([ticket_type, ticket_assignees, ticket_tags]);

/** Different actions on one problem have different tickets, such as one per team. The order of lists does not matter. */
export const problemKey = (subject: string, action: Members, once?: string): string =>
  JSON.stringify([
    subject,
    action["ticket_type"],
    textsOf(action["ticket_assignees"]).toSorted(),
    textsOf(action["ticket_tags"]).toSorted(),
    ...(once === undefined ? [] : [once]),
  ]);

const OVER: ReadonlySet<string> = new Set(["closed", "resolved", "draft"]);

/** Whether people work on a ticket. Drafts do not count: only their author sees them, so a repeat would go unnoticed. */
export const isOpen = ({ status }: { readonly status: string }): boolean => !OVER.has(status);
