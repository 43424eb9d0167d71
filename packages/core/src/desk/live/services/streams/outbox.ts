import { KEEP_ALIVE } from "../../../../lib/network/event-stream.ts";
import type { Clock } from "../../../../ports/clock.ts";
import type { LiveUpdate } from "../../model.ts";
import type { Wake } from "./wakes.ts";

/** An update and its bytes on the wire, made once for all its readers. */
export interface Sendable {
  readonly update: LiveUpdate;
  readonly bytes: Uint8Array;
  /** The message of a WebSocket, made when the first reader asks for it. */
  frame(): string;
}

/** Messages that wait for one client. */
export interface Outbox {
  /**
   * Adds a message; false when the client reads too slowly, or not any more. A status that was not read gives way to
   * newer ones.
   */
  push(sendable: Sendable): boolean;
  /** Ends the stream, after the messages that wait, or at once. */
  end(how: "after" | "now"): void;
  readonly ended: boolean;
  readonly waitingBytes: number;
  /**
   * The stream as it goes over the wire, with comments in times of silence. One reader at a time: nothing is told
   * twice.
   */
  body(): AsyncIterableIterator<Uint8Array>;
  updates(): AsyncIterableIterator<LiveUpdate>;
  /** The messages of a WebSocket. */
  frames(): AsyncIterableIterator<string>;
}

/** Bytes that may wait for one client (docs/contract/live.md#stream-of-a-job). */
const MAX_WAITING = 1_048_576;
/** Silence after which a comment goes out. */
const SILENCE_MS = 10_000;

interface Waiting {
  readonly queue: Sendable[];
  bytes: number;
  isOver: boolean;
  /** Wakes the reader that has nothing to read. */
  wake: (() => void) | undefined;
}

interface OutboxOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Shared by all outboxes. */
  readonly wake: Wake;
  /** Called once, when the stream is over; "now": what waited for the client is dropped. */
  readonly left: (how: "after" | "now") => void;
}

export function createOutbox({ clock, signal, wake, left }: OutboxOptions): Outbox {
  const waiting: Waiting = { queue: [], bytes: 0, isOver: false, wake: undefined };
  const over = (how: "after" | "now"): void => {
    if (waiting.isOver) return;
    waiting.isOver = true;
    signal.removeEventListener("abort", end);
    waiting.wake?.();
    left(how);
  };
  const end = (): void => over("after");
  const endNow = (): void => {
    waiting.queue.length = 0;
    over("now");
  };
  signal.addEventListener("abort", end);
  if (signal.aborted) end();
  const read = <T>(show: (next: Sendable) => T, silent?: T) =>
    readerOf(() => take(waiting, clock), endNow, { show, silent });
  return {
    get ended() {
      return waiting.isOver;
    },
    get waitingBytes() {
      return waiting.bytes;
    },
    push: (sendable) => !waiting.isOver && add(waiting, sendable, wake),
    end: (how) => (how === "now" ? endNow() : end()),
    body: () => read(({ bytes }) => bytes, KEEP_ALIVE),
    updates: () => read(({ update }) => update),
    frames: () => read((next) => next.frame()),
  };
}

/** A status that was not read is replaced by the next one, unless it alone says that jobs came or went. */
const givesWay = (last: LiveUpdate, next: LiveUpdate): boolean =>
  last.cmd === "status" &&
  next.cmd === "status" &&
  (last.data["jobsChanged"] === undefined || next.data["jobsChanged"] !== undefined);

function add(waiting: Waiting, sendable: Sendable, wake: Wake): boolean {
  const { queue } = waiting;
  for (let last = queue.at(-1); last && givesWay(last.update, sendable.update); last = queue.at(-1)) {
    queue.pop();
    waiting.bytes -= last.bytes.length;
  }
  if (waiting.bytes > MAX_WAITING) return false;
  queue.push(sendable);
  waiting.bytes += sendable.bytes.length;
  if (waiting.wake) wake(waiting.wake);
  waiting.wake = undefined;
  return true;
}

/** The next message; "silent" after a while without any, undefined at the end. */
async function take(waiting: Waiting, clock: Clock): Promise<Sendable | "silent" | undefined> {
  if (waiting.queue.length === 0 && !waiting.isOver)
    await new Promise<void>((resolve) => {
      const timer = clock.after(SILENCE_MS, resolve);
      waiting.wake = () => {
        timer[Symbol.dispose]();
        resolve();
      };
    });
  const next = waiting.queue.shift();
  if (next) waiting.bytes -= next.bytes.length;
  return next ?? (waiting.isOver ? undefined : "silent");
}

/** An iterator by hand: a generator that was never begun would not hear that its reader is gone. */
function readerOf<T>(
  next: () => ReturnType<typeof take>,
  leave: () => void,
  { show, silent }: { readonly show: (next: Sendable) => T; readonly silent: T | undefined },
): AsyncIterableIterator<T> {
  const reader: AsyncIterableIterator<T> = {
    [Symbol.asyncIterator]: () => reader,
    async next() {
      let found = await next();
      while (found === "silent" && silent === undefined) found = await next();
      if (found === undefined) return { done: true, value: undefined };
      return { done: false, value: found === "silent" ? (silent as T) : show(found) };
    },
    async return() {
      leave();
      return { done: true, value: undefined };
    },
  };
  return reader;
}
