const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
/** By character code: `[` and `{` open a level, `]` and `}` close one. */
const DEPTH_CHANGE = new Int8Array(128);
DEPTH_CHANGE.set([1, 0, -1], 91);
DEPTH_CHANGE.set([1, 0, -1], 123);

export interface JsonBounds {
  /** Levels of objects and lists inside each other. */
  readonly depth: number;
  /** Commas outside of texts: one less than there are members. */
  readonly members: number;
}

/**
 * Whether JSON text nests deeper or has more members than the bounds allow. One pass without recursion, meant to run
 * before parsing, so that hostile text costs no more than its reading; texts inside are skipped.
 */
export function isOverJsonBounds(text: string, { depth: maxDepth, members }: JsonBounds): boolean {
  if (text.length <= maxDepth) return false;
  let depth = 0;
  let commas = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COMMA) commas++;
    else depth += DEPTH_CHANGE[code] ?? 0;
    if (depth > maxDepth || commas >= members) return true;
  }
  return false;
}

/** Position of the closing quote, the end of the text without one. Each back-slash is looked at once, so hostile runs stay linear. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}
