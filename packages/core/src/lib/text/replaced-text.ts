import { bytesIn, type TextPieces, writePieces } from "./text-pieces.ts";

/**
 * A text that is replaced again and again, in memory of its own beside V8's heap. Each of 19 KB would be copied twice by
 * the collector of garbage as a string, and look like growth to it until all old objects are looked at.
 */
export interface ReplacedText {
  set(text: TextPieces): void;
  get(): string;
}

/** Room for a text that becomes a little longer. */
const SLACK = 1.125;
/** Memory of which less than a quarter is used is given back. */
const MAX_UNUSED = 4;

export function createReplacedText(): ReplacedText {
  let memory = Buffer.alloc(0);
  let length = 0;
  return {
    set(text) {
      length = bytesIn(text);
      if (length > memory.length || length * MAX_UNUSED < memory.length)
        memory = Buffer.allocUnsafeSlow(Math.ceil(length * SLACK));
      writePieces(memory, text);
    },
    get: () => memory.toString("utf8", 0, length),
  };
}
