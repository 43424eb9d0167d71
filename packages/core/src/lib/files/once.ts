/** A body of bytes that consists of one text. */
export async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
