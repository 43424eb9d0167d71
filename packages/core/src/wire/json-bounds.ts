const QUOTE = 34;
const COMMA = 44;
const OPEN_LIST = 91;
const BACKSLASH = 92;
const UNCOUNTED = -(2 ** 31);
/** Writing to an element that is not there does nothing. */
const NO_WIDTHS = new Int32Array(0);
/** Change of depth by character code: `[` and `{` open a level, `]` and `}` close one. */
export const DEPTH_CHANGE = new Int8Array(128);
DEPTH_CHANGE.set([1, 0, -1], 91);
DEPTH_CHANGE.set([1, 0, -1], 123);

export interface JsonBounds {
  /** Levels of objects and lists inside each other. */
  readonly depth: number;
  /** Commas outside of texts: one less than there are members. */
  readonly members: number;
  /** Limit of members in one object; absent = the limit of all together. */
  readonly width?: number;
}

/**
 * Whether JSON text nests deeper or has more members than the bounds allow. One pass without recursion, meant to run
 * before parsing, so that hostile text costs no more than its reading; texts inside are skipped.
 */
export function isOverJsonBounds(text: string, bounds: JsonBounds): boolean {
  const { depth, members, width = members } = bounds;
  if (text.length <= depth) return false;
  const widths = text.length > width ? new Int32Array(depth + 2) : NO_WIDTHS;
  const counts: Counts = { depth: 0, commas: 0, widths };
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfJsonText(text, at);
    else if (code === COMMA) countComma(counts, width);
    else if (DEPTH_CHANGE[code]) changeDepth(counts, code);
    if (counts.depth > depth || counts.commas >= members) return true;
  }
  return false;
}

/** One object with too many members counts like too many of all. */
function countComma(counts: Counts, width: number): void {
  const isWide = ++(counts.widths[counts.depth] as number) >= width;
  counts.commas = isWide ? Number.POSITIVE_INFINITY : counts.commas + 1;
}

interface Counts {
  depth: number;
  commas: number;
  /** Commas of the open container, by depth; far below zero for lists, which may be as long as all together. */
  readonly widths: Int32Array;
}

function changeDepth(counts: Counts, code: number): void {
  const change = DEPTH_CHANGE[code] as number;
  counts.depth += change;
  if (change > 0) counts.widths[counts.depth] = code === OPEN_LIST ? UNCOUNTED : 0;
}

/** Position of the closing quote, or the end of the text. Each backslash is looked at once, so the work is linear. */
export function endOfJsonText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}
