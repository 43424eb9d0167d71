import { type Clock, createBreath } from "@signalbox/core/adapter";
import { cutText } from "../cut-text.ts";
import { raceAgainst } from "../race.ts";

/** Collects text for up to 50 ms or `maxBytes`, whichever comes first, and sends it in one piece. */
export interface LogBuffer {
  write(text: string): void;
  flush(): void;
}

const DELAY_MS = 50;

export function createLogBuffer(clock: Clock, options: { maxBytes: number; send: (text: string) => void }): LogBuffer {
  let pieces: string[] = [];
  let size = 0;
  let timer: Disposable | undefined;
  const flush = (): void => {
    timer?.[Symbol.dispose]();
    timer = undefined;
    if (size === 0) return;
    const text = pieces.join("");
    pieces = [];
    size = 0;
    options.send(text);
  };
  return {
    flush,
    write(text) {
      // Sizes are counted in characters, of which there are never more than bytes; a long text is split into bounded pieces.
      for (const piece of cutText(text, options.maxBytes)) {
        if (size + piece.length > options.maxBytes) flush();
        pieces.push(piece);
        size += piece.length;
      }
      if (size >= options.maxBytes) flush();
      else if (size > 0) timer ??= clock.after(DELAY_MS, flush);
    },
  };
}

/** Characters of the longest line that is kept whole. A longer one is split, and so no longer read as a protocol line. */
const MAX_LINE = 8 * 1_048_576;

/** Splits bytes into lines that keep their line feed; `end` emits the rest. Characters split between chunks are joined. */
export function createLineSplitter(onLine: (line: string) => void): { write(chunk: Uint8Array): void; end(): void } {
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  let size = 0;
  const emit = (text: string): void => {
    const line = pieces.length > 0 ? pieces.join("") + text : text;
    if (pieces.length > 0) pieces = [];
    size = 0;
    if (line) onLine(line);
  };
  const take = (text: string): void => {
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      emit(text.slice(start, end + 1));
      start = end + 1;
    }
    if (start < text.length) pieces.push(text.slice(start));
    size += text.length - start;
    if (size > MAX_LINE) emit("");
  };
  return {
    write: (chunk) => take(decoder.decode(chunk, { stream: true })),
    end() {
      take(decoder.decode());
      emit("");
    },
  };
}

/** Bytes of output that a job may produce in a second before it is throttled, so that it cannot starve the host. */
const MAX_BYTES_PER_SEC = 8 * 1_048_576;

/** Bytes that are split into lines in one go: a thousand short lines take milliseconds. */
const PIECE_BYTES = 4096;

/** Reads a pipe to its end, or until `stopped` resolves, at a bounded pace, and lets the event loop do other work in between. */
export async function pump(
  stream: AsyncIterable<Uint8Array>,
  onPiece: (piece: Uint8Array) => void,
  { clock, stopped }: { clock: Clock; stopped: Promise<void> },
): Promise<void> {
  const chunks = stream[Symbol.asyncIterator]();
  const orStopped = raceAgainst(stopped.then(() => ({ done: true as const, value: undefined })));
  const breathe = createBreath(clock);
  let taken = 0;
  let windowMs = clock.monotonicMs();
  for (;;) {
    const step = await orStopped(chunks.next());
    if (step.done) break;
    for (let at = 0; at < step.value.length; at += PIECE_BYTES) {
      onPiece(step.value.subarray(at, at + PIECE_BYTES));
      await breathe();
    }
    taken += step.value.length;
    if (taken < MAX_BYTES_PER_SEC) continue;
    await orStopped(pause(clock, 1000 - (clock.monotonicMs() - windowMs)));
    taken = 0;
    windowMs = clock.monotonicMs();
  }
  await chunks.return?.();
}

export function pause(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(Math.max(0, delayMs), resolve);
  });
}
