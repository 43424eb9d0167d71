import { SignalboxError } from "./error.ts";

/** One server-sent event, its data read as JSON. */
export interface StreamEvent {
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: what an event holds depends on its name
  readonly data: any;
  /** Id with which the stream is resumed after this event; empty when there is none. */
  readonly id: string;
}

export interface StreamOptions {
  readonly signal?: AbortSignal;
  /** Goes on behind this event. */
  readonly lastEventId?: string;
  /** Called when the connection is there, and when it is lost with the milliseconds until the next try. */
  onState?(state: "open" | "lost", retryMs: number): void;
}

export type Open = (lastEventId: string, signal: AbortSignal) => Promise<Response>;

const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 30_000;
/** The server says something every ten seconds, so a longer silence is a connection that is gone. */
const SILENCE_MS = 30_000;

/**
 * Reads a stream of events for good: comes back after 1, 2, 4 … 30 s with the id of the last event, until the server
 * ends it (an event `end`), refuses it, or the signal is aborted.
 */
export async function* readStream(open: Open, options: StreamOptions): AsyncGenerator<StreamEvent, void, undefined> {
  const { signal, onState } = options;
  const seen: Seen = { lastId: options.lastEventId ?? "", tries: 0, hasEnded: false };
  for (;;) {
    yield* readOnce(open, options, seen);
    if (seen.hasEnded || signal?.aborted) return;
    const delay = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** seen.tries) * (0.8 + Math.random() * 0.4);
    seen.tries += 1;
    onState?.("lost", delay);
    await pause(delay, signal);
    if (signal?.aborted) return;
  }
}

/** State that one connection leaves to the next. */
interface Seen {
  lastId: string;
  /** Tries in a row that brought no event. */
  tries: number;
  hasEnded: boolean;
}

async function* readOnce(open: Open, { signal, onState }: StreamOptions, seen: Seen): AsyncGenerator<StreamEvent> {
  const attempt = new AbortController();
  const giveUp = () => attempt.abort();
  signal?.addEventListener("abort", giveUp, { once: true });
  try {
    const response = await open(seen.lastId, attempt.signal);
    onState?.("open", 0);
    for await (const event of eventsOf(response, giveUp)) {
      seen.tries = 0;
      seen.lastId = event.id || seen.lastId;
      seen.hasEnded = event.event === "end";
      yield event;
      if (seen.hasEnded) return;
    }
  } catch (error) {
    if (error instanceof SignalboxError && isFinal(error)) throw error;
  } finally {
    signal?.removeEventListener("abort", giveUp);
    attempt.abort();
  }
}

/** Whether the refusal is final: a further request would be refused as well. */
const isFinal = ({ status }: SignalboxError): boolean =>
  status >= 400 && status < 500 && status !== 408 && status !== 429;

const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    }
    signal?.addEventListener("abort", done, { once: true });
  });

async function* eventsOf({ body }: Response, onSilence: () => void): AsyncGenerator<StreamEvent> {
  if (!body) return;
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = "";
  let silence = setTimeout(onSilence, SILENCE_MS);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(silence);
      silence = setTimeout(onSilence, SILENCE_MS);
      const blocks = (rest + value).split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const event = eventOf(block);
        if (event) yield event;
      }
    }
  } finally {
    clearTimeout(silence);
    await reader.cancel().catch(() => undefined);
  }
}

/** One block of lines; undefined for comments, which only keep the connection warm. */
export function eventOf(block: string): StreamEvent | undefined {
  const found = { event: "message", data: "", id: "" };
  let isEmpty = true;
  for (const line of block.split(/\r?\n/)) {
    const [, name = "", value = ""] = /^(\w+)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === "data") {
      found.data += isEmpty ? value : `\n${value}`;
      isEmpty = false;
    } else if (name === "event" || name === "id") found[name] = value;
  }
  return isEmpty ? undefined : { ...found, data: JSON.parse(found.data) };
}
