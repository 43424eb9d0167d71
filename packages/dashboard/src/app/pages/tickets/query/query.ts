import { termsOf } from "../../../parts/query/terms.ts";
import { ACTIVE } from "./values.ts";

/** The question to the search: open tickets, where the address holds none. */
export const effectiveQuery = (query: string): string => query.trim() || ACTIVE;

/** The query of one column of the board. */
export const columnQuery = (query: string, status: string): string =>
  [`status:${status}`, withoutStatus(query)].filter(Boolean).join(" ");

/** Columns of a query: the statuses that it names, otherwise all that are asked for. */
export function columnsOf(query: string, all: readonly string[]): readonly string[] {
  const asked = termsOf(query).filter(({ field, text }) => field === "status" && !text.startsWith("-"));
  const values = asked.flatMap(({ value }) => value.split("|"));
  const fitting = all.filter((status) => values.includes(status));
  return fitting.length > 0 ? fitting : all;
}

/** The query without its statuses, which the columns say. */
const withoutStatus = (query: string): string =>
  termsOf(query)
    .filter(({ field, text }) => field !== "status" && text !== "*")
    .map(({ text }) => text)
    .join(" ");

/** The saved views above the list, each an address of its own. */
export const viewsOf = (user: string): Readonly<Record<"active" | "mine" | "overdue" | "over" | "all", string>> => ({
  active: "",
  mine: `${ACTIVE} assignees:${user}`,
  overdue: `${ACTIVE} due:<today`,
  over: "status:resolved|closed",
  all: "*",
});
