import { signal } from "@preact/signals";
import { SignalboxError } from "@signalbox/client";
import { api } from "../../../data/calls/session.ts";
import { LogBuffer } from "./buffer.ts";

const TAIL_BYTES = 1_048_576;
/** Time limit for one turn of parsing, so that the page stays responsive. */
const TURN_MS = 6;
/** Maximum number of characters waiting to be parsed; beyond it the oldest pieces are dropped. */
const MAX_WAITING = 20_000_000;

const turnEnd = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** A piece of output. `end` is the size of the log after it, in bytes; undefined for a note by the server. */
export interface Piece {
  readonly text: string;
  readonly end: number | undefined;
}

/** The part of a piece that is beyond the first `known` bytes of the log. */
export function behind(known: number, { text, end }: Piece): string {
  if (end === undefined) return text;
  const bytes = new TextEncoder().encode(text);
  const isNew = end - bytes.length;
  return isNew >= known ? text : new TextDecoder().decode(bytes.subarray(known - isNew));
}

interface Feeder {
  feed(text: string): void;
  /** Resolves when all text has been parsed. */
  settled(): Promise<void>;
}

/** Feeds text to a buffer in short turns. */
function createFeeder(buffer: LogBuffer, onMore: () => void): Feeder {
  const waiting: string[] = [];
  let size = 0;
  let isBusy = false;
  let running: Promise<void> = Promise.resolve();
  async function work(): Promise<void> {
    isBusy = true;
    for (let text = waiting.shift(); text !== undefined; text = waiting.shift()) {
      size -= text.length;
      for (let at = 0; at < text.length; ) {
        const end = performance.now() + TURN_MS;
        at = buffer.take(text, at, () => performance.now() > end);
        onMore();
        if (performance.now() > end) await turnEnd();
      }
    }
    isBusy = false;
  }
  return {
    feed(text: string): void {
      waiting.push(text);
      size += text.length;
      while (size > MAX_WAITING && waiting.length > 1) size -= waiting.shift()?.length ?? 0;
      if (!isBusy) running = work();
    },
    settled: () => running,
  };
}

const asError = (reason: unknown): SignalboxError =>
  reason instanceof SignalboxError ? reason : new SignalboxError("page", String(reason));

/** The log of a job: the lines that existed when the page opened, and all that arrived since. */
export class JobLog {
  readonly buffer = signal(new LogBuffer());
  /** Increments whenever the buffer has more. */
  readonly version = signal(0);
  readonly isLoading = signal(true);
  /** True if the beginning is missing, because only the end of a long live log is sent. */
  readonly isCut = signal(false);
  /** Why the log could not be read. */
  readonly error = signal<SignalboxError | undefined>(undefined);
  readonly #id: string;
  #feeder = createFeeder(this.buffer.peek(), () => this.#touch());
  #reading = new AbortController();
  /** Pieces that arrived while the log is being loaded. */
  #held: Piece[] | undefined;
  #heldSize = 0;
  /** Bytes of the log received so far, as far as they are counted. */
  #known = 0;

  constructor(id: string) {
    this.#id = id;
  }

  readonly load = async (hasEnded: boolean): Promise<void> => {
    this.#reading.abort();
    const own = new AbortController();
    this.#reading = own;
    this.#held ??= [];
    this.error.value = undefined;
    await this.#read(own, hasEnded).catch((reason: unknown) => {
      // A job that is still waiting, or whose log is gone, has no log. This is not an error.
      const isNone = reason instanceof SignalboxError && reason.code === "notfound";
      if (!own.signal.aborted && !isNone) this.error.value = asError(reason);
    });
    if (this.#reading !== own) return;
    const held = this.#held ?? [];
    this.#held = undefined;
    this.#heldSize = 0;
    for (const piece of held) this.#take(piece);
    this.isLoading.value = false;
  };

  append(text: string, end?: number): void {
    if (this.#held === undefined) {
      this.#take({ text, end });
      return;
    }
    this.#held.push({ text, end });
    this.#heldSize += text.length;
    while (this.#heldSize > MAX_WAITING && this.#held.length > 1)
      this.#heldSize -= this.#held.shift()?.text.length ?? 0;
  }

  #take(piece: Piece): void {
    const text = behind(this.#known, piece);
    this.#known = Math.max(this.#known, piece.end ?? 0);
    if (text) this.#feeder.feed(text);
  }

  readonly stop = (): void => this.#reading.abort();

  #touch(): void {
    this.version.value += 1;
  }

  async #read(own: AbortController, hasEnded: boolean): Promise<void> {
    const { text: tail, end = 0 } = await api.tailLiveJobLog(
      { id: this.#id, bytes: TAIL_BYTES },
      { signal: own.signal },
    );
    if (own.signal.aborted) return;
    if (tail) {
      const size = new Blob([tail]).size;
      // Appends only what is new to a log already shown, so that its line numbers and scroll position stay.
      if (this.#known > 0 && end >= this.#known && end - size <= this.#known) return this.#take({ text: tail, end });
      const isCut = size >= TAIL_BYTES;
      await this.#fill(own, async (feeder) => feeder.feed(tail));
      if (own.signal.aborted) return;
      this.#known = end;
      this.isCut.value = isCut;
      return;
    }
    // A running job has no finished log.
    if (!hasEnded) return;
    const { status, body } = await api.getJobLog({ id: this.#id }, { signal: own.signal });
    this.#held = [];
    if (status === 200) await this.#fill(own, (feeder) => readInto(feeder, body, own.signal));
    if (!own.signal.aborted) this.isCut.value = false;
  }

  /** Reads into a second buffer if a log is already shown, and swaps it in when complete, so that nothing moves meanwhile. */
  async #fill(own: AbortController, read: (feeder: Feeder) => Promise<void>): Promise<void> {
    const isAside = this.buffer.peek().count > 0;
    const fresh = isAside ? new LogBuffer() : this.buffer.peek();
    const feeder = isAside ? createFeeder(fresh, () => undefined) : this.#feeder;
    await read(feeder);
    await feeder.settled();
    if (isAside && !own.signal.aborted) this.#show(fresh);
  }

  #show(buffer: LogBuffer): void {
    this.#feeder = createFeeder(buffer, () => this.#touch());
    this.buffer.value = buffer;
    this.#touch();
  }
}

async function readInto(feeder: Feeder, body: Response["body"], gone: AbortSignal): Promise<void> {
  const text = body?.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>);
  const reader = text?.getReader();
  while (reader && !gone.aborted) {
    const { done, value } = await reader.read();
    if (done) return;
    feeder.feed(value);
    await feeder.settled();
  }
}
