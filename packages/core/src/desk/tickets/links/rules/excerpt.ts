import { excerptText } from "../../../../lib/text/excerpt.ts";

const LINES = 10;
/** Characters of one line; output may be one line alone. */
const MAX_LINE = 1000;
const CUT = "[…]";
const NONE = "n/a";

const linesOf = (text: string): string[] => {
  // The excerpt stands in a fence, which a line of back-ticks would end.
  const clean = excerptText(text.replace(/^[ \t]*`{3,}/gm, ""));
  if (clean === NONE) return [];
  return clean.split(/\r?\n/).map((line) => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line));
};

/**
 * Output of a job as its ticket shows it (docs/contract/tickets.md#tickets-of-jobs-and-alerts): all of it up to twenty
 * lines, else the first and the last ten. `last` is the end of an output that was too long to be read whole.
 */
export function outputExcerpt(first: string, last?: string): string {
  const head = linesOf(first);
  const tail = last === undefined ? head : linesOf(last);
  if (last === undefined && head.length <= 2 * LINES) return head.length === 0 ? NONE : head.join("\n");
  return [...head.slice(0, LINES), "", CUT, "", ...tail.slice(-LINES)].join("\n");
}
