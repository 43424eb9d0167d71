import { KEEP_ALIVE } from "../../../../lib/network/event-stream.ts";
import type { Clock } from "../../../../ports/clock.ts";
import type { LiveUpdate } from "../../model.ts";
import type { Wake } from "./wakes.ts";

/** An update and its encoded bytes, shared by all its readers. */
export interface Sendable {
  readonly update: LiveUpdate;
  readonly bytes: Uint8Array;
  /** The update as a WebSocket message, encoded when the first reader asks for it. */
  frame(): string;
}

/** Messages that wait for one client. */
export interface Outbox {
  /**
   * Adds a message; false if the client reads too slowly, or not any more. A newer status replaces a status that was not read.
   */
  push(sendable: Sendable): boolean;
  /** Ends the stream, either after the waiting messages, or at once. */
  end(how: "after" | "now"): void;
  readonly ended: boolean;
  readonly waitingBytes: number;
  /**
   * The stream in its encoded form, with comments in times of silence. Supports one reader at a time, since each message is read
   * once.
   */
  body(): AsyncIterableIterator<Uint8Array>;
  updates(): AsyncIterableIterator<LiveUpdate>;
  /** The messages as sent over a WebSocket. */
  frames(): AsyncIterableIterator<string>;
}

/** Maximum bytes that may wait for one client (docs/contract/live.md#stream-of-a-job). */
const MAX_WAITING = 1_048_576;
/** Milliseconds of silence after which a comment is sent. */
const SILENCE_MS = 10_000;

interface Waiting {
  readonly queue: Sendable[];
  bytes: number;
  isOver: boolean;
  /** Wakes the reader that waits for a message. */
  wake: (() => void) | undefined;
}

interface OutboxOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Shared by all outboxes. */
  readonly wake: Wake;
  /** Called once, when the stream ends; "now" = the messages that were waiting are dropped. */
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

/** Whether a newer status may replace an unread one; not if only the unread one says that jobs started or ended. */
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

/** The next message; "silent" after `SILENCE_MS` without one, undefined at the end. */
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

/** Not a generator: a generator that was never started would not notice that its reader is gone. */
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
