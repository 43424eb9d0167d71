import type { Api } from "@signalbox/client";
import type { StateName } from "../../../parts/basic/basic.tsx";
import { t } from "../texts.ts";

export type Ticket = Awaited<ReturnType<Api["getTicket"]>>["ticket"];
/** A row of a search: without its text, but with the number of its changes. */
export type TicketRow = Awaited<ReturnType<Api["searchTickets"]>>["rows"][number];

export const STATUSES = ["draft", "open", "in_progress", "on_hold", "resolved", "closed"] as const;
const TYPES = [
  "issue",
  "bug",
  "incident",
  "question",
  "task",
  "feature",
  "change",
  "release",
  "maintenance",
  "other",
] as const;
/** The query for open tickets. */
export const ACTIVE = "status:open|in_progress|on_hold";

const STATES: Readonly<Record<string, StateName>> = {
  draft: "abort",
  open: "wait",
  in_progress: "run",
  on_hold: "hush",
  resolved: "ok",
  closed: "ok",
};

const isOneOf = <Name extends string>(names: readonly Name[], value: string): value is Name =>
  (names as readonly string[]).includes(value);

/** Title of a status; values defined by the host are shown as they are. */
export const statusName = (status: string): string => (isOneOf(STATUSES, status) ? t(`status.${status}`) : status);
export const typeName = (type: string | null | undefined): string =>
  type && isOneOf(TYPES, type) ? t(`type.${type}`) : (type ?? "");
interface Standing {
  readonly status: string;
  readonly due?: number | "" | undefined;
}

export const isOver = ({ status }: Standing): boolean => status === "resolved" || status === "closed";
/** True if the due day is over and the ticket is neither resolved nor closed. */
export const isOverdue = (ticket: Standing, now: number): boolean =>
  !isOver(ticket) && typeof ticket.due === "number" && ticket.due > 0 && ticket.due + 86_400 <= now;

export const stateOf = (ticket: Standing, now: number): StateName =>
  isOverdue(ticket, now) ? "warn" : (STATES[ticket.status] ?? "wait");
export const stateName = (ticket: Standing, now: number): string =>
  isOverdue(ticket, now) ? t("overdueState", { status: statusName(ticket.status) }) : statusName(ticket.status);

export const statusChoices = (now: string) =>
  [...new Set([...STATUSES, now])].filter(Boolean).map((value) => ({ value, title: statusName(value) }));
export const typeChoices = (now: string) =>
  [...new Set([...TYPES, now])].filter(Boolean).map((value) => ({ value, title: typeName(value) }));
