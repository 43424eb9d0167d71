/** Continuation bytes of UTF-8 are 10xxxxxx. */
const isInsideCharacter = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x80 && byte < 0xc0;

/** The longest beginning of a text that fits into `bytes` bytes, without splitting a character. */
export function firstBytes(text: string, bytes: number): string {
  const whole = Buffer.from(text);
  if (whole.length <= bytes) return text;
  let end = Math.max(0, bytes);
  while (end > 0 && isInsideCharacter(whole[end])) end--;
  return whole.subarray(0, end).toString();
}

/** The rest of a text after its first `bytes` bytes. */
export function afterBytes(text: string, bytes: number): string {
  return bytes <= 0 ? text : Buffer.from(text).subarray(bytes).toString();
}

/** The end of a text in at most `bytes` bytes: drops a first line that is incomplete, and never splits a character. */
export function lastBytes(text: string, bytes: number): string {
  const whole = Buffer.from(text);
  if (whole.length <= bytes) return text;
  let start = whole.length - bytes;
  while (isInsideCharacter(whole[start])) start++;
  const cut = whole.subarray(start).toString();
  const isLineStart = whole[start - 1] === 0x0a;
  return isLineStart ? cut : cut.slice(cut.indexOf("\n") + 1);
}

const CHUNK_CHARACTERS = 256 * 1024;

/** Splits text into pieces for storage, but not between the two units of a character. */
export function piecesOf(text: string, characters = CHUNK_CHARACTERS): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = Math.min(text.length, start + characters);
    const isTorn = end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1));
    const piece = text.slice(start, isTorn ? end - 1 : end);
    pieces.push(piece);
    start += piece.length;
  }
  return pieces;
}
