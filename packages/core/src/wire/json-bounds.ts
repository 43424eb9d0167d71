const QUOTE = 34;
const COMMA = 44;
const OPEN_LIST = 91;
const BACKSLASH = 92;
const UNCOUNTED = -(2 ** 31);
/** Writing beyond the end of a typed array has no effect. */
const NO_WIDTHS = new Int32Array(0);
/** Change of depth by character code: `[` and `{` open a level, `]` and `}` close one. */
export const DEPTH_CHANGE = new Int8Array(128);
DEPTH_CHANGE.set([1, 0, -1], 91);
DEPTH_CHANGE.set([1, 0, -1], 123);

export interface JsonBounds {
  /** Most levels of nested objects and lists. */
  readonly depth: number;
  /** Most members in total. Commas outside of texts are counted: one less than there are members. */
  readonly members: number;
  /** Most members of one object; absent = `members`. */
  readonly width?: number;
}

/**
 * Whether JSON text is nested more deeply or has more members than the bounds allow. One pass without recursion, skipping texts.
 * Run it before parsing, so that hostile text costs no more than reading it.
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

/** One object with too many members counts as too many in total. */
function countComma(counts: Counts, width: number): void {
  const isWide = ++(counts.widths[counts.depth] as number) >= width;
  counts.commas = isWide ? Number.POSITIVE_INFINITY : counts.commas + 1;
}

interface Counts {
  depth: number;
  commas: number;
  /** Commas of the open container, by depth; lists start far below zero, because only the total bounds them. */
  readonly widths: Int32Array;
}

function changeDepth(counts: Counts, code: number): void {
  const change = DEPTH_CHANGE[code] as number;
  counts.depth += change;
  if (change > 0) counts.widths[counts.depth] = code === OPEN_LIST ? UNCOUNTED : 0;
}

/** Position of the closing quote, or the end of the text. Each backslash is visited once, so the scan is linear. */
export function endOfJsonText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}
