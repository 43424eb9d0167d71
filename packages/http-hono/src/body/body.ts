import { DomainError, InputError, SignalboxError } from "@signalbox/core/plugin";
import type { CallHeaders, CallRequest } from "../caller/call-request.ts";
import { closeConnection, type NodeMessage, nodeOf } from "../caller/connection.ts";
import type { HostEnv } from "../options.ts";
import type { Arriving } from "./body-pool.ts";

/** Where the chunks of a body come from. */
type Chunks = ReadableStream<Uint8Array> | NodeMessage;

/** A request body, which is read once and with a bound. */
export interface BodySource {
  readonly headers: CallHeaders;
  /** Length in bytes that the headers declare. */
  readonly declared: number | undefined;
  /** Throws if the body has already been read. */
  stream(): Chunks | null;
  /** The HTTP parser below has checked the length, or the bytes have already been read: the text may be read at once. */
  readonly counted: boolean;
  /** Whether middleware of the host already holds the body in memory. */
  readonly isRead: boolean;
  readonly arrival: Arrival;
  text(): Promise<string>;
}

export const tooLarge = (): InputError => new InputError("Request body exceeds the maximum size.", { status: 413 });

/** Progress of a body, for the bound on time. A class, because one is created for each request. */
export class Arrival implements Arriving {
  readonly #env: HostEnv;
  #count = 0;
  #isEnded = false;
  /** All bytes have arrived: their room is kept until the call has been answered, which may take long. */
  #isWhole = false;
  #cancel: (() => void) | undefined;

  constructor(env: HostEnv) {
    this.#env = env;
  }

  /** Counts the bytes that the socket has read, even before they are consumed. */
  received(): number {
    return nodeOf(this.#env).incoming?.socket?.bytesRead ?? this.#count;
  }

  isWaitingForUs(): boolean {
    return this.#isWhole || (nodeOf(this.#env).incoming?.readableLength ?? 0) > 0;
  }

  end(): void {
    this.#isEnded = true;
    closeConnection(this.#env);
    this.#cancel?.();
  }

  /** Yields the chunks. Throws `InputError` if `end` was called meanwhile. Stops reading when the consumer stops. */
  async *follow(from: Chunks): AsyncGenerator<Uint8Array> {
    const { chunks, cancel } = opened(from);
    this.#cancel = cancel;
    for await (const chunk of chunks) {
      this.#count += chunk.length;
      yield chunk;
    }
    if (this.#isEnded) throw new InputError("Malformed request body.");
    this.#isWhole = true;
  }
}

interface Opened {
  readonly chunks: AsyncIterable<Uint8Array>;
  cancel(): void;
}

/**
 * A message that is left unread must not be destroyed: Node detaches its socket first, and the connection, which was answered and
 * kept alive, then hangs. `@hono/node-server` drains the rest.
 */
function opened(from: Chunks): Opened {
  if (!("getReader" in from))
    return { chunks: from.iterator({ destroyOnReturn: false }), cancel: () => from.destroy() };
  const reader = from.getReader();
  // The source of the stream knows why it ended.
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  return { chunks: chunksOf(reader, cancel), cancel };
}

async function* chunksOf(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  cancel: () => void,
): AsyncGenerator<Uint8Array> {
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    cancel();
  }
}

/** The whole text at once, for counted bodies. Throws `InputError` for a caller that disconnected. */
export const wholeText = (source: BodySource): Promise<string> => source.text().catch(brokenOff);

/** The chunks of the body; fails with 413 at the first byte beyond the bound. */
export async function* boundedChunks(source: BodySource, maxBytes: number): AsyncGenerator<Uint8Array> {
  if (source.declared !== undefined && source.declared > maxBytes) throw tooLarge();
  let total = 0;
  try {
    const stream = source.stream();
    if (!stream) return;
    for await (const chunk of source.arrival.follow(stream)) {
      total += chunk.length;
      if (total > maxBytes) throw tooLarge();
      yield chunk;
    }
  } catch (error) {
    brokenOff(error);
  }
}

/** Error for a mistake of the host, with what to change. */
const taken = (cause?: unknown): SignalboxError =>
  new DomainError(
    "body",
    "failed",
    "Something read the body of this request before Signalbox and left nothing of it at `request.body`: mount Signalbox in front of what reads bodies, or hand over what was read (guide: hosts/index).",
    { cause },
  );

/**
 * A caller that disconnects in the middle of a body is not our failure. A `TypeError` means that the body had already been read.
 */
function brokenOff(error: unknown): never {
  if (error instanceof SignalboxError) throw error;
  if (error instanceof TypeError) throw taken(error);
  throw new InputError("Malformed request body.", { cause: error });
}

function declaredLength(headers: CallHeaders): number | undefined {
  const text = headers.get("content-length");
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined;
}

interface HonoRequestLike {
  readonly raw: CallRequest;
  text(): Promise<string>;
}

/**
 * A body that middleware of the host has already read comes from its cache. An object literal without accessors: each literal
 * with an accessor gets its own hidden class, which would retain the whole request until the next full collection.
 */
export function bodySource(request: HonoRequestLike, env: HostEnv): BodySource {
  const { raw } = request;
  return {
    headers: raw.headers,
    declared: declaredLength(raw.headers),
    stream() {
      const message = messageOf(raw, env);
      if (raw.bodyUsed || (message && isTaken(message))) throw taken();
      return message && isUnread(message) && parserCounted(raw, env) ? message : raw.body;
    },
    counted: raw.bodyUsed || parserCounted(raw, env),
    isRead: raw.bodyUsed,
    arrival: new Arrival(env),
    text: () => request.text(),
  };
}

/** Whether Node's parser has checked the length of the body: only its own message can be trusted to be as long as it says. */
function parserCounted(raw: CallRequest, env: HostEnv): boolean {
  const length = nodeOf(env).incoming?.headers?.["content-length"];
  return length !== undefined && length === raw.headers.get("content-length");
}

/** The Node message behind the request; undefined for a request that middleware of the host has created. */
function messageOf(raw: CallRequest, env: HostEnv): NodeMessage | undefined {
  const { incoming } = nodeOf(env);
  const holdsIt = incoming && Object.getOwnPropertySymbols(raw).some((key) => Reflect.get(raw, key) === incoming);
  return holdsIt ? (incoming as NodeMessage) : undefined;
}

/** Whether the Node message was already read, without leaving the body for `@hono/node-server`. */
const isTaken = ({ readableDidRead, rawBody }: NodeMessage): boolean => readableDidRead && rawBody === undefined;

/** Whether the message is unread and may be read directly: a stream made from it would copy every byte again. */
const isUnread = ({ readableFlowing, rawBody }: NodeMessage): boolean =>
  readableFlowing === null && rawBody === undefined;
