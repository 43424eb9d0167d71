import { MAX_PAGES, pagesOf } from "../rules/page.ts";

/** Characters of the pages that a client names. */
export const MAX_LOC = 4000;

const memberOf = (data: unknown, name: string): unknown =>
  typeof data === "object" && data !== null && Object.hasOwn(data, name)
    ? (data as Readonly<Record<string, unknown>>)[name]
    : undefined;

/** Whether the client was connected before, so that it gets everything (docs/contract/live.md#websocket). */
export function isReconnect(data: unknown): boolean {
  const attempt = memberOf(data, "attempt");
  return typeof attempt === "number" && attempt > 1;
}

/** The pages that `user_nav` names; undefined = it names none that can be followed. */
export function pagesOfNav(data: unknown): readonly string[] | undefined {
  const loc = memberOf(data, "loc");
  if (typeof loc !== "string" || loc.length > MAX_LOC) return undefined;
  const pages = pagesOf(loc);
  return pages.length > MAX_PAGES ? undefined : pages;
}
