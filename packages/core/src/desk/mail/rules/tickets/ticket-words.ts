import { isSystemTag } from "../../../../directory/tags/rules.ts";
import { textOf } from "../../../../lib/text/text-of.ts";
import type { Ticket } from "../../../tickets/model.ts";

/** Names of the records that a ticket refers to. */
export interface TicketNames {
  /** Full name; without an account the raw name in parentheses. */
  user(username: string): string;
  status(id: string): string;
  type(id: string): string;
  category(id: string): string;
  server(id: string): string;
  tag(id: string): string;
  /** A day as text; `epoch` is in Unix seconds. */
  day(epoch: number): string;
  /** A day and time as text. */
  time(epoch: number): string;
}

export const NONE = "(None)";

const SINGLE = ["status", "type", "category", "server"] as const;
const isSingle = (key: string): key is (typeof SINGLE)[number] => (SINGLE as readonly string[]).includes(key);

/** A value as readable text; "" for an empty value. Imported records may hold values of any type. */
export function valueText(key: string, value: unknown, names: TicketNames): string {
  if (value === undefined || value === null || value === "") return "";
  if (key === "due") return Number(value) > 0 ? names.day(Number(value)) : "";
  if (isSingle(key)) return names[key](textOf(value));
  const list = [value]
    .flat(2)
    .filter((each) => each !== null && each !== "")
    .map(textOf);
  if (key === "tags")
    return list
      .filter((id) => !isSystemTag(id))
      .map(names.tag)
      .join(", ");
  if (key === "assignees" || key === "cc")
    return list.map((each) => (each.includes("@") ? each : names.user(each))).join(", ");
  return list.join(", ");
}

/** Members of a ticket as templates show them; empty ones are "(None)". */
export function ticketWords(ticket: Ticket, names: TicketNames): Readonly<Record<string, string>> {
  const nice = (key: string): string => valueText(key, ticket[key], names) || NONE;
  const type = valueText("type", ticket.type, names);
  return {
    nice_type: type || NONE,
    /** The type as a word for sentences. */
    kind: type || "Ticket",
    nice_status: nice("status"),
    nice_category: nice("category"),
    nice_server: nice("server"),
    nice_author: names.user(ticket.username),
    nice_assignees: nice("assignees"),
    nice_cc: nice("cc"),
    nice_notify: nice("notify"),
    nice_due: nice("due"),
    nice_tags: nice("tags"),
  };
}
