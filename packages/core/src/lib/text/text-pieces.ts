/**
 * A text in pieces, some of which are the UTF-8 bytes received from a socket. If it were joined into a string, a minute of 19 KB
 * that waits to be stored would be copied several times in V8's heap, and would count as heap growth.
 */
export type TextPieces = readonly (string | Uint8Array)[];

export const bytesIn = (pieces: TextPieces): number =>
  pieces.reduce((sum, piece) => sum + (typeof piece === "string" ? Buffer.byteLength(piece) : piece.length), 0);

/** Writes the text as UTF-8; the memory must have room for all of it. */
export function writePieces(memory: Buffer, pieces: TextPieces): void {
  let at = 0;
  for (const piece of pieces) {
    if (typeof piece === "string") at += memory.write(piece, at);
    else {
      memory.set(piece, at);
      at += piece.length;
    }
  }
}

export const joinPieces = (pieces: TextPieces): string =>
  pieces
    .map((piece) =>
      typeof piece === "string" ? piece : Buffer.from(piece.buffer, piece.byteOffset, piece.length).toString(),
    )
    .join("");
