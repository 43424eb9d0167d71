/** Pages that the server follows for one stream. */
const MOST = 20;

/** Pages that some windows look at, one a line. */
export const linesOf = (pages: Iterable<string>): string =>
  [...new Set(pages)]
    .filter((page) => page !== "")
    .slice(0, MOST)
    .join("\n");

/** True when news of the page `told` are for who looks at `page`: the same name, and all that `told` names. */
export function isOnPage(page: string, told: string): boolean {
  const [[name, query], [toldName, toldQuery]] = [page, told].map((each) => each.split("?")) as [string[], string[]];
  const members = new URLSearchParams(query);
  return name === toldName && [...new URLSearchParams(toldQuery)].every(([key, value]) => members.get(key) === value);
}
