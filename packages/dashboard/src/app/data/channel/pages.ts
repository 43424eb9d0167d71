/** Most pages that the server follows for one stream. */
const MOST = 20;

/** The distinct pages that windows show, one a line. */
export const linesOf = (pages: Iterable<string>): string =>
  [...new Set(pages)]
    .filter((page) => page !== "")
    .slice(0, MOST)
    .join("\n");

/**
 * True when an update for the page `told` concerns a window that shows `page`: both have the same name, and `page` has every
 * parameter of `told`.
 */
export function isOnPage(page: string, told: string): boolean {
  const [[name, query], [toldName, toldQuery]] = [page, told].map((each) => each.split("?")) as [string[], string[]];
  const members = new URLSearchParams(query);
  return name === toldName && [...new URLSearchParams(toldQuery)].every(([key, value]) => members.get(key) === value);
}
