/** One line of a file; a line that is longer than the bound has no text. */
export interface RawLine {
  readonly number: number;
  readonly text: string | undefined;
  readonly bytes: number;
  /** Whether a line break ends it; false for text behind the last one. */
  readonly ended: boolean;
}

const LINE_BREAK = 10;

export interface LineBounds {
  /** Bytes of a line that is held; a longer one is passed over. */
  readonly most: number;
  /** Bytes of a line after which the whole file is given up. */
  readonly hopeless: number;
}

/** Error for a line without an end. */
export class EndlessLine extends Error {}

/** Lines of bytes as they come, all lines of one piece together. Throws `EndlessLine`. */
export async function* splitLines(
  content: AsyncIterable<Uint8Array>,
  { most, hopeless }: LineBounds,
): AsyncGenerator<readonly RawLine[]> {
  let pieces: Buffer[] = [];
  let [size, number] = [0, 1];
  const finish = (ended: boolean): RawLine => {
    const text = size > most ? undefined : Buffer.concat(pieces).toString("utf8").replace(/\r$/, "");
    const line = { number: number++, text, bytes: size + 1, ended };
    [pieces, size] = [[], 0];
    return line;
  };
  const add = (piece: Buffer): void => {
    size += piece.length;
    if (size > hopeless) throw new EndlessLine();
    if (size > most) pieces = [];
    else pieces.push(piece);
  };
  for await (const bytes of content) {
    const piece = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const lines: RawLine[] = [];
    let start = 0;
    for (let end = piece.indexOf(LINE_BREAK); end !== -1; end = piece.indexOf(LINE_BREAK, start)) {
      add(piece.subarray(start, end));
      lines.push(finish(true));
      start = end + 1;
    }
    // A copy: the giver of the piece uses it again.
    if (start < piece.length) add(Buffer.from(piece.subarray(start)));
    if (lines.length > 0) yield lines;
  }
  if (size > 0) yield [finish(false)];
}
