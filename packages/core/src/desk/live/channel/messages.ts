import { MAX_PAGES, pagesOf } from "../rules/page.ts";

/** Maximum characters of a client's list of pages. */
export const MAX_LOC = 4000;

const memberOf = (data: unknown, name: string): unknown =>
  typeof data === "object" && data !== null && Object.hasOwn(data, name)
    ? (data as Readonly<Record<string, unknown>>)[name]
    : undefined;

/** Whether the client was connected before and so gets everything again (docs/contract/live.md#websocket). */
export function isReconnect(data: unknown): boolean {
  const attempt = memberOf(data, "attempt");
  return typeof attempt === "number" && attempt > 1;
}

/** The pages that `user_nav` names; undefined if it is invalid or names too many. */
export function pagesOfNav(data: unknown): readonly string[] | undefined {
  const loc = memberOf(data, "loc");
  if (typeof loc !== "string" || loc.length > MAX_LOC) return undefined;
  const pages = pagesOf(loc);
  return pages.length > MAX_PAGES ? undefined : pages;
}
