const WORD = 4;
/** The mask, rotated to aligned words. */
const turned = new Uint8Array(WORD);
const turnedWord = new Int32Array(turned.buffer);

/**
 * Unmasks the bytes of a payload in place (RFC 6455 §5.3), four at a time. `ws` does it byte by byte, which is a tenth
 * of the cost of a second's sample.
 */
export function unmask(payload: Buffer, mask: Uint8Array): void {
  if (payload.length < 2 * WORD) {
    unmaskBytes(payload, mask, { from: 0, to: payload.length });
    return;
  }
  // Words must be aligned in memory, so the mask is rotated by the bytes before the first one.
  const before = (WORD - (payload.byteOffset % WORD)) % WORD;
  const count = Math.floor((payload.length - before) / WORD);
  const words = new Int32Array(payload.buffer, payload.byteOffset + before, count);
  for (let index = 0; index < WORD; index++) turned[index] = mask[(index + before) % WORD] ?? 0;
  const word = turnedWord[0] ?? 0;
  for (let index = 0; index < count; index++) words[index] = (words[index] ?? 0) ^ word;
  unmaskBytes(payload, mask, { from: 0, to: before });
  unmaskBytes(payload, mask, { from: before + count * WORD, to: payload.length });
}

function unmaskBytes(
  payload: Buffer,
  mask: Uint8Array,
  { from, to }: { readonly from: number; readonly to: number },
): void {
  for (let index = from; index < to; index++) payload[index] = (payload[index] ?? 0) ^ (mask[index % WORD] ?? 0);
}
