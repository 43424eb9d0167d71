import { bytesIn, type TextPieces, writePieces } from "./text-pieces.ts";

/**
 * A text that is replaced often, stored in its own buffer outside V8's heap. As a string, each text of 19 KB would be copied
 * twice by the garbage collector, and would count as heap growth until the next full collection.
 */
export interface ReplacedText {
  set(text: TextPieces): void;
  get(): string;
}

/** Spare room, so that a slightly longer text fits. */
const SLACK = 1.125;
/** A buffer of which less than a quarter is used is freed. */
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
