import { termsOf } from "../../../parts/query/terms.ts";
import { ACTIVE } from "./values.ts";

/** The query to search for; open tickets if the address has none. */
export const effectiveQuery = (query: string): string => query.trim() || ACTIVE;

/** The query of one column of the board. */
export const columnQuery = (query: string, status: string): string =>
  [`status:${status}`, withoutStatus(query)].filter(Boolean).join(" ");

/** Columns of the board: the statuses that the query names, else all. */
export function columnsOf(query: string, all: readonly string[]): readonly string[] {
  const asked = termsOf(query).filter(({ field, text }) => field === "status" && !text.startsWith("-"));
  const values = asked.flatMap(({ value }) => value.split("|"));
  const fitting = all.filter((status) => values.includes(status));
  return fitting.length > 0 ? fitting : all;
}

/** The query without its statuses, because each column adds its own. */
const withoutStatus = (query: string): string =>
  termsOf(query)
    .filter(({ field, text }) => field !== "status" && text !== "*")
    .map(({ text }) => text)
    .join(" ");

/** Predefined views above the list, as queries. */
export const viewsOf = (user: string): Readonly<Record<"active" | "mine" | "overdue" | "over" | "all", string>> => ({
  active: "",
  mine: `${ACTIVE} assignees:${user}`,
  overdue: `${ACTIVE} due:<today`,
  over: "status:resolved|closed",
  all: "*",
});
