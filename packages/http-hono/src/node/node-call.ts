import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { CallHeaders, CallRequest } from "../caller/call-request.ts";
import { STRANGER_BYTES } from "../input/admission.ts";

/** Hosts and paths that `URL` would leave unchanged; all others are left to the adapter. */
const PLAIN_HOST = /^[a-z0-9._-]+(?::[1-9]\d{3,4})?$/;
const PLAIN_TARGET = /^\/[\w\-.~!$&()*+,;=:@/?%]*$/;
const DOT_SEGMENT = /\/\.\.?(?:[/?]|$)/;

/**
 * The usual call, as Node's parser has read it: a `Request` would load all of Node's `fetch` into the process, 13 MB, before the
 * first call. Undefined for anything but a call by a plain path with a short, unread body.
 */
export function nodeCall(incoming: IncomingMessage, outgoing: ServerResponse): CallRequest | undefined {
  const { headers, method, socket, url = "" } = incoming;
  const { host = "" } = headers;
  if (method !== "GET" && (method !== "POST" || !isShort(incoming))) return undefined;
  if (incoming.httpVersionMajor !== 1 || incoming.destroyed || incoming.readableDidRead) return undefined;
  if (!PLAIN_HOST.test(host) || !PLAIN_TARGET.test(url) || DOT_SEGMENT.test(url)) return undefined;
  const scheme = "encrypted" in socket && socket.encrypted ? "https" : "http";
  return new NodeCall(`${scheme}://${host}${url}`, method, { incoming, outgoing });
}

/**
 * Whether the body can be read without the adapter: the rest of a refused long body or form must be drained, and middleware may
 * have put the body elsewhere.
 */
function isShort(incoming: IncomingMessage): boolean {
  const { "content-length": length, "content-type": type = "" } = incoming.headers;
  return Number(length) <= STRANGER_BYTES && !type.toLowerCase().includes("multipart") && !("rawBody" in incoming);
}

interface Exchanged {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

class NodeCall implements CallRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: CallHeaders;
  /** Null, since `text` reads the body. */
  readonly body = null;
  readonly #exchanged: Exchanged;
  #signal: AbortSignal | undefined;

  constructor(url: string, method: string, exchanged: Exchanged) {
    this.url = url;
    this.method = method;
    this.headers = new NodeHeaders(exchanged.incoming);
    this.#exchanged = exchanged;
  }

  get bodyUsed(): boolean {
    return this.#exchanged.incoming.readableDidRead;
  }

  get signal(): AbortSignal {
    this.#signal ??= signalOf(this.#exchanged.outgoing);
    return this.#signal;
  }

  text(): Promise<string> {
    return textOf(this.#exchanged.incoming);
  }
}

/** Names are passed in lower case, as Node stores them. */
class NodeHeaders implements CallHeaders {
  readonly #headers: IncomingHttpHeaders;

  constructor({ headers }: IncomingMessage) {
    this.#headers = headers;
  }

  get(name: string): string | null {
    const value = this.#headers[name];
    return value === undefined ? null : String(value);
  }

  has(name: string): boolean {
    return this.#headers[name] !== undefined;
  }

  forEach(use: (value: string, name: string) => void): void {
    for (const [name, value] of Object.entries(this.#headers)) use(String(value), name);
  }
}

/** Aborts when the connection closes before its answer is complete. */
function signalOf(outgoing: ServerResponse): AbortSignal {
  const abort = new AbortController();
  const close = (): void => {
    if (!outgoing.writableFinished) abort.abort();
  };
  if (outgoing.closed) close();
  else outgoing.once("close", close);
  return abort.signal;
}

/** Rejects when the caller disconnects before the end. */
function textOf(incoming: IncomingMessage): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const chunks: Buffer[] = [];
  incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
  incoming.once("end", () =>
    resolve(new TextDecoder().decode(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))),
  );
  incoming.once("error", reject);
  // Every body is followed by `close`: creating an error each time would cost a call more than parsing the body.
  incoming.once("close", () => {
    if (!incoming.readableEnded) reject(new Error("The connection was closed before the end of the body."));
  });
  return promise;
}
