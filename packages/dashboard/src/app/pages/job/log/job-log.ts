import { signal } from "@preact/signals";
import { SignalboxError } from "@signalbox/client";
import { api } from "../../../data/session.ts";
import { LogBuffer } from "./buffer.ts";

const TAIL_BYTES = 1_048_576;
/** Of one turn; the page stays quick meanwhile. */
const TURN_MS = 6;
/** What may wait to be taken in: beyond it the oldest is left out. */
const MAX_WAITING = 20_000_000;

const turnEnd = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** What was told while the end of the log was asked for, without what that end holds already. */
export function behind(tail: string, told: string): string {
  for (let length = Math.min(tail.length, told.length); length > 0; length -= 1)
    if (tail.endsWith(told.slice(0, length))) return told.slice(length);
  return told;
}

interface Feeder {
  feed(text: string): void;
  /** Resolves when everything has been taken in. */
  settled(): Promise<void>;
}

/** Takes text into a buffer in short turns. */
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

/** The log of a job: what there was when the page opened, and what has come since. */
export class JobLog {
  readonly buffer = signal(new LogBuffer());
  /** Goes up whenever the buffer has more. */
  readonly version = signal(0);
  readonly isLoading = signal(true);
  /** The beginning is missing: only the end of a long live log is sent. */
  readonly isCut = signal(false);
  /** Of a log that could not be read. */
  readonly error = signal<SignalboxError | undefined>(undefined);
  readonly #id: string;
  #feeder = createFeeder(this.buffer.peek(), () => this.#touch());
  #reading = new AbortController();
  /** Told while the log is asked for. */
  #held: string | undefined;

  constructor(id: string) {
    this.#id = id;
  }

  readonly load = async (hasEnded: boolean): Promise<void> => {
    this.#reading.abort();
    const own = new AbortController();
    this.#reading = own;
    this.#held ??= "";
    this.error.value = undefined;
    await this.#read(own, hasEnded).catch((reason: unknown) => {
      // A log of a job that waits, or of one that is gone, is none.
      const isNone = reason instanceof SignalboxError && reason.code === "notfound";
      if (!own.signal.aborted && !isNone) this.error.value = asError(reason);
    });
    if (this.#reading !== own) return;
    if (this.#held) this.#feeder.feed(this.#held);
    this.#held = undefined;
    this.isLoading.value = false;
  };

  append(text: string): void {
    if (this.#held === undefined) this.#feeder.feed(text);
    else this.#held = (this.#held + text).slice(-MAX_WAITING);
  }

  readonly stop = (): void => this.#reading.abort();

  #touch(): void {
    this.version.value += 1;
  }

  async #read(own: AbortController, hasEnded: boolean): Promise<void> {
    const { text: tail } = await api.tailLiveJobLog({ id: this.#id, bytes: TAIL_BYTES }, { signal: own.signal });
    if (own.signal.aborted) return;
    if (tail) {
      const isCut = new Blob([tail]).size >= TAIL_BYTES;
      const text = tail + behind(tail, this.#held ?? "");
      this.#held = "";
      await this.#fill(own, async (feeder) => feeder.feed(text));
      if (!own.signal.aborted) this.isCut.value = isCut;
      return;
    }
    // There is no finished log of a job that runs.
    if (!hasEnded) return;
    const { status, body } = await api.getJobLog({ id: this.#id }, { signal: own.signal });
    this.#held = "";
    if (status === 200) await this.#fill(own, (feeder) => readInto(feeder, body, own.signal));
    if (!own.signal.aborted) this.isCut.value = false;
  }

  /** A log that is shown already is read aside, and then takes its place: nothing moves meanwhile. */
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
