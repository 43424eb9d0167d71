import type { StreamResult } from "@signalbox/core/plugin";
import { closeConnection, nodeOf, resetConnection } from "../caller/connection.ts";
import type { HostEnv } from "../options.ts";
import type { Settings } from "../settings.ts";

/**
 * Clients give up after this long without data (docs/contract/live.md#stream-of-a-job), so a reader of events that has stalled
 * for longer is gone.
 */
const STALLED_MS = 30_000;
/**
 * Longest stall of a file download: the operating system buffers up to some megabytes for the reader, and requests more when a
 * third has been sent.
 */
const STALLED_FILE_MS = 120_000;
/** Milliseconds to read the rest of a stream that ends early. */
const LAST_MS = 5000;
/** Reason for aborting a stream: its reader does not read. */
const STALLED = new Error("The reader does not read");
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

type Names = Record<string, string>;

export type StreamSettings = Pick<Settings, "clock" | "headers" | "log" | "traffic">;

export interface StreamCall {
  readonly head: boolean;
  readonly env: HostEnv;
  /** Aborts the operation's own waits. */
  readonly abort: AbortController;
  /** Runs once, when the answer is complete or aborted. */
  onEnd(): void;
}

/**
 * Turns the answer of a stream operation into a response with backpressure: it requests the next chunk only when the connection
 * has accepted the last one, so a slow client costs one chunk of memory.
 */
export function streamResponse(result: StreamResult, call: StreamCall, settings: StreamSettings): Response {
  const { status = 200, body } = result;
  const headers = streamHeaders(result, settings.headers);
  if (!body || call.head || WITHOUT_BODY.has(status)) {
    releaseBody(body, settings);
    call.onEnd();
    return new Response(null, { status, headers });
  }
  const source = pullSource(result, body, call, settings);
  return new Response(new ReadableStream(source, { highWaterMark: 0 }), { status, headers });
}

const isEventStream = ({ contentType }: StreamResult): boolean => contentType?.startsWith("text/event-stream") ?? false;

function streamHeaders(result: StreamResult, base: Readonly<Record<string, string>>): Headers {
  const headers = new Headers(base);
  headers.set("Cache-Control", isEventStream(result) ? "no-cache" : "no-store");
  // Without this, proxies would hold events back until a buffer is full.
  if (isEventStream(result)) headers.set("X-Accel-Buffering", "no");
  for (const [name, value] of Object.entries(result.headers ?? ({} as Names))) headers.set(name, headerText(value));
  if (result.contentType) headers.set("Content-Type", headerText(result.contentType));
  else if (result.body && !headers.has("Content-Type")) headers.set("Content-Type", "application/octet-stream");
  return headers;
}

/** Header values may contain file names; line breaks and wide characters must not be sent. */
const headerText = (value: string): string => value.replace(/[^\t\u0020-\u007e\u0080-\u00ff]/g, "");

type Close = (env: HostEnv) => boolean;

/**
 * Breaks an answer off, so that half a file does not look complete. The error does not contain the cause, because servers print
 * it, and some send it.
 */
function cutOff(controller: ReadableStreamDefaultController<Uint8Array>, env: HostEnv, close: Close): void {
  if (!close(env)) controller.error(new Error("The answer was cut off"));
}

interface PullSource {
  start(controller: ReadableStreamDefaultController<Uint8Array>): void;
  pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void>;
  cancel(): Promise<void>;
}

function pullSource(
  result: StreamResult,
  body: AsyncIterable<Uint8Array>,
  call: StreamCall,
  settings: StreamSettings,
): PullSource {
  const { clock, log, traffic } = settings;
  const { abort, env } = call;
  const iterator = body[Symbol.asyncIterator]();
  const events = isEventStream(result);
  let stalled: Disposable | undefined;
  let over = false;
  const end = (): void => {
    stalled?.[Symbol.dispose]();
    if (!over) call.onEnd();
    over = true;
  };
  const giveUp = async (): Promise<void> => {
    end();
    abort.abort();
    await iterator.return?.().catch((error: unknown) => log.error({ error }, "A stream failed while it was closed"));
  };
  return {
    start(controller) {
      abort.signal.addEventListener("abort", () => {
        if (over) return;
        if (events) endEvents(controller, call, settings);
        else cutOff(controller, env, abort.signal.reason === STALLED ? resetConnection : closeConnection);
        void giveUp();
      });
    },
    async pull(controller) {
      stalled?.[Symbol.dispose]();
      try {
        const { done, value } = await iterator.next();
        if (over) return;
        if (done) {
          end();
          controller.close();
          return;
        }
        traffic.bytesOut += value.length;
        controller.enqueue(value);
        stalled = clock.after(events ? STALLED_MS : STALLED_FILE_MS, () => abort.abort(STALLED));
      } catch (error) {
        if (over) return;
        end();
        log.error({ error }, "A stream failed");
        cutOff(controller, env, closeConnection);
      }
    },
    cancel: giveUp,
  };
}

/**
 * Ends an event stream, which may happen after any event. A client that reads receives the rest; a stalled connection is reset.
 */
function endEvents(
  controller: ReadableStreamDefaultController<Uint8Array>,
  { abort, env }: StreamCall,
  { clock }: StreamSettings,
): void {
  if (abort.signal.reason === STALLED && resetConnection(env)) return;
  controller.close();
  const timer = clock.after(LAST_MS, () => resetConnection(env));
  nodeOf(env).outgoing?.once?.("close", () => timer[Symbol.dispose]());
}

/** Frees the resources of a body that will not be read. */
function releaseBody(body: AsyncIterable<Uint8Array> | undefined, { log }: StreamSettings): void {
  const closing = body?.[Symbol.asyncIterator]().return?.();
  closing?.catch((error: unknown) => log.error({ error }, "A stream failed while it was closed"));
}
