import { textOf } from "../../../lib/text/text-of.ts";
/** A status or a type, as pages and mails show it. */
export interface TicketValue {
  readonly id: string;
  readonly title: string;
  readonly color?: string | undefined;
}

/** See docs/contract/tickets.md#values. Each is stored as it is; none is an alias of another. */
export const TICKET_STATUSES: readonly TicketValue[] = [
  { id: "draft", title: "Draft", color: "gray" },
  { id: "open", title: "Open", color: "green" },
  { id: "closed", title: "Closed", color: "red" },
  { id: "in_progress", title: "In Progress", color: "blue" },
  { id: "on_hold", title: "On Hold", color: "yellow" },
  { id: "resolved", title: "Resolved", color: "purple" },
];

export const TICKET_TYPES: readonly TicketValue[] = [
  { id: "issue", title: "Issue" },
  { id: "feature", title: "Feature" },
  { id: "release", title: "Release" },
  { id: "change", title: "Change" },
  { id: "maintenance", title: "Maintenance" },
  { id: "question", title: "Question" },
  { id: "other", title: "Other" },
  { id: "task", title: "Task" },
  { id: "bug", title: "Bug" },
  { id: "incident", title: "Incident" },
];

/** Statuses and types that a host may add in its configuration. */
export interface MoreValues {
  readonly more_statuses: readonly TicketValue[];
  readonly more_types: readonly TicketValue[];
}

/** The reason why a status or a type is refused; undefined = it is accepted. An absent type is fine. */
export function faultOfValues(
  { status, type }: Readonly<Record<string, unknown>>,
  { more_statuses, more_types }: MoreValues,
): string | undefined {
  const isKnown = (value: unknown, ...lists: readonly (readonly TicketValue[])[]): boolean =>
    lists.some((list) => list.some(({ id }) => id === value));
  if (type && !isKnown(type, TICKET_TYPES, more_types)) return `Unknown ticket type: ${textOf(type)}`;
  if (status !== undefined && !isKnown(status, TICKET_STATUSES, more_statuses))
    return `Unknown ticket status: ${textOf(status)}`;
  return undefined;
}
