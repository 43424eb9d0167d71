import { endOfJsonText } from "@signalbox/core/adapter";

interface Reader {
  readonly text: string;
  readonly found: Map<string, string>;
  depth: number;
  /** Name of the top-level member whose value comes next. */
  key: string | undefined;
}

/**
 * The top-level texts of an object whose JSON may be incomplete: they may identify its sender. Skips members that are not texts,
 * and stops at the first error.
 */
export function leadingTexts(text: string): Record<string, unknown> {
  const reader: Reader = { text, found: new Map(), depth: 0, key: undefined };
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') at = takeText(reader, at);
    else takeSign(reader, text[at] ?? "");
  }
  return Object.fromEntries(reader.found);
}

/** Position of the closing quote; the end of the text when nothing more should be read. */
function takeText(reader: Reader, start: number): number {
  const { text, found, depth, key } = reader;
  const end = endOfJsonText(text, start);
  if (depth !== 1) return end;
  const word = readWord(text.slice(start, end + 1));
  if (word === undefined) return text.length;
  if (key === undefined) reader.key = word;
  else found.set(key, word);
  return end;
}

function takeSign(reader: Reader, sign: string): void {
  if (sign === "," && reader.depth === 1) reader.key = undefined;
  reader.depth += DEPTH_CHANGES.get(sign) ?? 0;
}

const DEPTH_CHANGES: ReadonlyMap<string, number> = new Map([
  ["{", 1],
  ["[", 1],
  ["}", -1],
  ["]", -1],
]);

function readWord(quoted: string): string | undefined {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    // Truncated, or not JSON at all: the parser of the complete text reports it.
    return undefined;
  }
}
