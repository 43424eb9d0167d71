import { SignalboxError } from "./error.ts";

/** One server-sent event, with its data parsed as JSON. */
export interface StreamEvent {
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: what an event holds depends on its name
  readonly data: any;
  /** Id from which the stream resumes after this event; empty when there is none. */
  readonly id: string;
}

export interface StreamOptions {
  readonly signal?: AbortSignal;
  /** Resumes after this event. */
  readonly lastEventId?: string;
  /** Called when the connection opens, and when it is lost, with the milliseconds until the next try. */
  onState?(state: "open" | "lost", retryMs: number): void;
}

export type Open = (lastEventId: string, signal: AbortSignal) => Promise<Response>;

const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 30_000;
/** The server sends something every ten seconds, so a longer silence means that the connection is gone. */
const SILENCE_MS = 30_000;

/**
 * Reads a stream of events and reconnects after 1, 2, 4 … 30 s with the id of the last event, until the server ends the stream
 * (an event `end`), refuses it, or the signal is aborted.
 */
export async function* readStream(open: Open, options: StreamOptions): AsyncGenerator<StreamEvent, void, undefined> {
  const { signal, onState } = options;
  const seen: Seen = { lastId: options.lastEventId ?? "", tries: 0, hasEnded: false };
  while (!signal?.aborted) {
    yield* readOnce(open, options, seen);
    if (seen.hasEnded || signal?.aborted) return;
    const delay = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** seen.tries) * (0.8 + Math.random() * 0.4);
    seen.tries += 1;
    onState?.("lost", delay);
    await pause(delay, signal);
  }
}

/** State that one connection hands to the next. */
interface Seen {
  lastId: string;
  /** Consecutive tries that brought no event. */
  tries: number;
  hasEnded: boolean;
}

async function* readOnce(open: Open, { signal, onState }: StreamOptions, seen: Seen): AsyncGenerator<StreamEvent> {
  const attempt = new AbortController();
  const giveUp = () => attempt.abort();
  signal?.addEventListener("abort", giveUp, { once: true });
  // From the request on: a network that swallows it would otherwise hold the stream for ever.
  const silence = watchSilence(giveUp);
  try {
    const response = await open(seen.lastId, attempt.signal);
    onState?.("open", 0);
    for await (const event of eventsOf(response, silence.heard)) {
      seen.tries = 0;
      seen.lastId = event.id || seen.lastId;
      seen.hasEnded = event.event === "end";
      yield event;
      if (seen.hasEnded) return;
    }
  } catch (error) {
    if (error instanceof SignalboxError && isFinal(error)) throw error;
  } finally {
    silence.stop();
    signal?.removeEventListener("abort", giveUp);
    attempt.abort();
  }
}

/** Whether the refusal is final: repeating the request would be refused as well. */
const isFinal = ({ status }: SignalboxError): boolean =>
  status >= 400 && status < 500 && status !== 408 && status !== 429;

const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    }
    signal?.addEventListener("abort", done, { once: true });
  });

async function* eventsOf({ body }: Response, onHeard: () => void): AsyncGenerator<StreamEvent> {
  if (!body) return;
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  const blocksOf = createBlocks();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onHeard();
      for (const block of blocksOf(value)) {
        const event = eventOf(block);
        if (event) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Bound on the characters of one event. The engine sends no longer ones, and they would fill the memory of the page. */
const MAX_EVENT = 128 * 1024 * 1024;

/**
 * Splits text that arrives in pieces into whole blocks. Scans each piece once: the first event about a large fleet has megabytes
 * and arrives in hundreds of pieces.
 */
export function createBlocks(most = MAX_EVENT): (piece: string) => string[] {
  /** Pieces of the unfinished block. */
  let begun: string[] = [];
  let length = 0;
  /** Line ends at the end of the last piece, which the next piece may continue. */
  let held = "";
  return (piece) => {
    const text = held + piece;
    const cut = text.endsWith("\r") ? text.length - 1 : text.length;
    const blocks = text.slice(0, cut).replaceAll("\r\n", "\n").split("\n\n");
    const rest = blocks.pop() ?? "";
    const end = rest.endsWith("\n") ? rest.length - 1 : rest.length;
    held = rest.slice(end) + text.slice(cut);
    if (blocks.length > 0) {
      blocks[0] = begun.join("") + blocks[0];
      [begun, length] = [[], 0];
    }
    begun.push(rest.slice(0, end));
    length += end;
    if (length > most) throw new Error(`An event of the stream has more than ${most} characters`);
    return blocks;
  };
}

/** Calls `onSilence` once after a silence. A timer that is reset at each word costs more than one that checks when it fires. */
function watchSilence(onSilence: () => void) {
  // Monotonic: the time of day may be set back.
  let heardAt = performance.now();
  let timer = setTimeout(look, SILENCE_MS);
  function look(): void {
    const leftMs = heardAt + SILENCE_MS - performance.now();
    if (leftMs > 0) timer = setTimeout(look, leftMs);
    else onSilence();
  }
  return {
    heard(): void {
      heardAt = performance.now();
    },
    stop: (): void => clearTimeout(timer),
  };
}

/**
 * Splits a line into name and value. Without a regular expression, which is slow on long lines: a status has kilobytes and
 * arrives each second.
 */
function memberOf(line: string): readonly [name: string, value: string] {
  const end = line.indexOf(":");
  if (end < 0) return [line, ""];
  return [line.slice(0, end), line.slice(line[end + 1] === " " ? end + 2 : end + 1)];
}

/** Parses one block of lines; undefined for comments, which only keep the connection alive. */
export function eventOf(block: string): StreamEvent | undefined {
  const found = { event: "message", data: "", id: "" };
  let isEmpty = true;
  for (const line of block.split("\n")) {
    const [name, value] = memberOf(line);
    if (name === "data") {
      found.data += isEmpty ? value : `\n${value}`;
      isEmpty = false;
    } else if (name === "event" || name === "id") found[name] = value;
  }
  return isEmpty ? undefined : { ...found, data: JSON.parse(found.data) };
}
