/** Reads texts from the bytes of JSON, long ones piece by piece. */

/**
 * Bytes scanned and decoded in one go. Fresh memory costs up to 4 ms per megabyte, and a piece with escapes needs it three times.
 */
export const PIECE_BYTES = 524_288;

export interface Piece {
  readonly text: string;
  /** Position after the piece: at the closing quote, or where the text continues. */
  readonly end: number;
  readonly isLast: boolean;
}

const QUOTE = 34;
const BACKSLASH = 92;
const LETTER_U = 117;
/** Length of an escape such as `\u00e9`. */
const LONG_ESCAPE = 6;

/**
 * The text from `start`, which is after a quote or after the previous piece, to the closing quote or the end of a piece. Bytes
 * that are not UTF-8 become replacement characters. Throws `SyntaxError` if the closing quote is missing, and for characters that
 * JSON does not allow in a text.
 */
export function readPiece(bytes: Buffer, start: number): Piece {
  const most = Math.min(bytes.length, start + PIECE_BYTES);
  let isPlain = true;
  let escapeAt = start - LONG_ESCAPE;
  let at = start;
  for (; at < most && bytes[at] !== QUOTE; at++) {
    const byte = bytes[at] as number;
    if (byte >= 32 && byte !== BACKSLASH) continue;
    isPlain = false;
    if (byte === BACKSLASH) escapeAt = at++;
  }
  if (at >= bytes.length) throw new SyntaxError("Unterminated string in JSON");
  const isLast = bytes[at] === QUOTE && at < most;
  const end = isLast ? at : startOfCharacter(bytes, at, escapeAt);
  const text = bytes.toString("utf8", start, end);
  // `JSON.parse` handles all escapes, and the characters that JSON forbids.
  return { text: isPlain ? text : (JSON.parse(`"${text}"`) as string), end, isLast };
}

/** The last position up to `at` that is inside neither an escape nor a multi-byte character. */
function startOfCharacter(bytes: Buffer, at: number, escapeAt: number): number {
  if (bytes[escapeAt + 1] === LETTER_U && escapeAt + LONG_ESCAPE > at) return escapeAt;
  let start = at;
  while (start > at - 3 && isContinuation(bytes[start])) start--;
  return isContinuation(bytes[start]) ? at : start;
}

const isContinuation = (byte: number | undefined): boolean => ((byte ?? 0) & 0xc0) === 0x80;
