import { InputError } from "@signalbox/core";

const MAX_DEPTH = 64;
const MAX_MEMBERS = 100_000;

const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
/** By character code: `[` and `{` open a level, `]` and `}` close one. */
const DEPTH_CHANGE = new Int8Array(128);
DEPTH_CHANGE.set([1, 0, -1], 91);
DEPTH_CHANGE.set([1, 0, -1], 123);

/**
 * Parses the JSON of a body or a form field. Blank text, arrays and scalars give `{}`.
 * Throws `InputError` for text that does not parse, nests deeper than 64 or has more than 100000 members.
 */
export function parseJsonObject(text: string): Record<string, unknown> {
  if (isOverBounds(text)) throw new InputError("Malformed request body.");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!/\S/.test(text)) return {};
    throw new InputError(`Failed to parse JSON: ${(error as Error).message}`, { cause: error });
  }
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** For bodies of an unknown type: the object if the text is one, otherwise undefined. */
export function tryJsonObject(text: string): Record<string, unknown> | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    return parseJsonObject(text);
  } catch (error) {
    if (error instanceof InputError && error.cause === undefined) throw error;
    return undefined;
  }
}

/** One pass without recursion and before parsing, so that a hostile body costs no more than its reading. */
function isOverBounds(text: string): boolean {
  if (text.length <= MAX_DEPTH) return false;
  let depth = 0;
  let commas = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COMMA) commas++;
    else depth += DEPTH_CHANGE[code] ?? 0;
    if (depth > MAX_DEPTH || commas >= MAX_MEMBERS) return true;
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
