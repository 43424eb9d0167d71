/** One line of a file; `text` is undefined for a line longer than the bound. */
export interface RawLine {
  readonly number: number;
  readonly text: string | undefined;
  readonly bytes: number;
  /** Whether a line break ends it; false for text after the last line break. */
  readonly ended: boolean;
}

const LINE_BREAK = 10;

export interface LineBounds {
  /** Most bytes of a line; longer lines are skipped. */
  readonly most: number;
  /** Bytes of one line after which the whole file is abandoned. */
  readonly hopeless: number;
}

/** Thrown for a line that does not seem to end. */
export class EndlessLine extends Error {}

/** Splits bytes into lines as they arrive, and yields all lines of a piece together. Throws `EndlessLine`. */
export async function* splitLines(
  content: AsyncIterable<Uint8Array>,
  { most, hopeless }: LineBounds,
): AsyncGenerator<readonly RawLine[]> {
  let pieces: Buffer[] = [];
  let [size, number] = [0, 1];
  const finish = (ended: boolean): RawLine => {
    const [piece] = pieces;
    const whole = piece && pieces.length === 1 ? piece : Buffer.concat(pieces);
    const text = size > most ? undefined : whole.toString("utf8").replace(/\r$/, "");
    const line = { number: number++, text, bytes: size + 1, ended };
    [pieces, size] = [[], 0];
    return line;
  };
  const add = (piece: Buffer): void => {
    size += piece.length;
    if (size > hopeless) throw new EndlessLine();
    if (size > most) pieces = [];
    else if (piece.length > 0) pieces.push(piece);
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
    // Copied, because the source reuses the buffer of the piece.
    if (start < piece.length) add(Buffer.from(piece.subarray(start)));
    if (lines.length > 0) yield lines;
  }
  if (size > 0) yield [finish(false)];
}
