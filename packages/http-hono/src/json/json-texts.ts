/** Texts in the bytes of JSON, a long one piece by piece. */

/**
 * Bytes that are looked through and made text in one go. Fresh memory costs up to 4 ms a megabyte, and a piece with escapes
 * takes it three times.
 */
export const PIECE_BYTES = 524_288;

export interface Piece {
  readonly text: string;
  /** Place behind the piece: at the closing quote, or where the text goes on. */
  readonly end: number;
  readonly isLast: boolean;
}

const QUOTE = 34;
const BACKSLASH = 92;
const LETTER_U = 117;
/** Bytes of an escape such as `\u00e9`. */
const LONG_ESCAPE = 6;

/**
 * The text from `start`, which is behind a quote or behind the piece before, to the closing quote or to the end of a piece.
 * Bytes that are no UTF-8 become replacement characters. Throws `SyntaxError` without a closing quote, and for signs
 * that may not
 * stand in a text.
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
  // The parser of the platform knows all escapes, and the characters that JSON forbids.
  return { text: isPlain ? text : (JSON.parse(`"${text}"`) as string), end, isLast };
}

/** The nearest place up to `at` that is neither within an escape nor within the bytes of one character. */
function startOfCharacter(bytes: Buffer, at: number, escapeAt: number): number {
  if (bytes[escapeAt + 1] === LETTER_U && escapeAt + LONG_ESCAPE > at) return escapeAt;
  let start = at;
  while (start > at - 3 && isContinuation(bytes[start])) start--;
  return isContinuation(bytes[start]) ? at : start;
}

const isContinuation = (byte: number | undefined): boolean => ((byte ?? 0) & 0xc0) === 0x80;
