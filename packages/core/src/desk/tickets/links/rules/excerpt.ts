import { excerptText } from "../../../../lib/text/excerpt.ts";

const LINES = 10;
/** Most characters of a line, since the output may be a single line. */
const MAX_LINE = 1000;
const CUT = "[…]";
const NONE = "n/a";

const linesOf = (text: string): string[] => {
  // The excerpt stands in a fenced block, which a line of backticks would end.
  const clean = excerptText(text.replace(/^[ \t]*`{3,}/gm, ""));
  if (clean === NONE) return [];
  return clean.split(/\r?\n/).map((line) => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line));
};

/**
 * The output of a job as its ticket shows it (docs/contract/tickets.md#tickets-of-jobs-and-alerts): up to twenty lines in full,
 * otherwise the first and the last ten. `last` is the end of an output too long to be read as a whole.
 */
export function outputExcerpt(first: string, last?: string): string {
  const head = linesOf(first);
  const tail = last === undefined ? head : linesOf(last);
  if (last === undefined && head.length <= 2 * LINES) return head.length === 0 ? NONE : head.join("\n");
  return [...head.slice(0, LINES), "", CUT, "", ...tail.slice(-LINES)].join("\n");
}
