import { createHash } from "node:crypto";
import type { ClientRequest, IncomingMessage } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { shownKey } from "../keys.ts";
import type { S3Settings } from "./s3-options.ts";
import { textIn } from "./s3-xml.ts";

export interface S3Request {
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  /** Key inside the store; absent = the bucket itself. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: S3Body;
  /** Statuses of failure that the caller handles. */
  readonly expected?: readonly number[];
}

/** Held in memory until the request is over, as it may be sent again. */
export interface S3Body {
  readonly pieces: readonly Uint8Array[];
  readonly sizeBytes: number;
  /** SHA-256 of the whole body, as hex. */
  readonly sha256: string;
}

export interface S3Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly response: IncomingMessage;
}

/** A refusal or failure of the store; `code` is the store's own error code. */
export type S3Error = Error & { readonly status?: number; readonly code?: string; readonly isTemporary: boolean };

export interface S3Requests {
  /** Resolves to the head of the answer; the caller reads its body. Rejects with `S3Error` when the last attempt fails. */
  send(request: S3Request): Promise<S3Answer>;
  /** The answer with its whole body, which must be short. An error inside a successful answer counts as a failure. */
  text(request: S3Request): Promise<S3Answer & { readonly text: string }>;
}

const NOTHING: S3Body = { pieces: [], sizeBytes: 0, sha256: createHash("sha256").digest("hex") };
/** Most bytes of an answer that is read as a whole; the longest is a page of a list. */
const MAX_TEXT = 8 * 1024 * 1024;
const FIRST_PAUSE_MS = 100;
/** Error codes of temporary failures, in addition to every status from 500. */
const TEMPORARY: ReadonlySet<string> = new Set(["RequestTimeout", "SlowDown", "InternalError", "OperationAborted"]);

export const bodyOf = (text: string): S3Body => {
  const bytes = Buffer.from(text);
  return { pieces: [bytes], sizeBytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
};

export function createS3Requests(settings: S3Settings): S3Requests {
  const transport = createTransport(settings);
  const attempt = async (request: S3Request): Promise<S3Answer> => {
    const response = await transport(request).catch((error: unknown) => {
      throw lineFault(request, error);
    });
    const { statusCode: status = 0, headers } = response;
    if (status < 300 || request.expected?.includes(status)) return { status, headers, response };
    throw faultOf(request, status, textIn(await readText(response, settings.timeoutMs), "Code"));
  };
  const attemptText = async (request: S3Request) => {
    const answer = await attempt(request);
    const text = await readText(answer.response, settings.timeoutMs).catch((error: unknown) => {
      throw lineFault(request, error);
    });
    // For long operations, stores answer 200 at once and report a failure in the body.
    if (answer.status < 300 && text.includes("<Error>")) throw faultOf(request, 500, textIn(text, "Code"));
    return { ...answer, text };
  };
  return {
    send: (request) => repeat(settings, () => attempt(request)),
    text: (request) => repeat(settings, () => attemptText(request)),
  };
}

/** Retries; every request of this store is idempotent. */
async function repeat<T>({ attempts }: S3Settings, work: () => Promise<T>): Promise<T> {
  for (let made = 1; ; made++) {
    try {
      return await work();
    } catch (error) {
      if (made >= attempts || !(error as Partial<S3Error>).isTemporary) throw error;
      await pause(FIRST_PAUSE_MS * 2 ** (made - 1));
    }
  }
}

const s3Error = (message: string, members: Omit<S3Error, keyof Error>, cause?: unknown): S3Error =>
  Object.assign(new Error(message, { cause }), members);

const whatOf = ({ method, key }: S3Request): string => `${method} ${key === undefined ? "bucket" : shownKey(key)}`;

function faultOf(request: S3Request, status: number, code: string | undefined): S3Error {
  // The message is left out: it is meant for operators of the store and quotes the request.
  const known = code !== undefined && /^\w{1,64}$/.test(code) ? code : undefined;
  const isTemporary = status >= 500 || status === 429 || (known !== undefined && TEMPORARY.has(known));
  const hint = status >= 300 && status < 400 ? "; the region or the endpoint is another one" : "";
  const message = `The object store answered ${status}${known ? ` ${known}` : ""} to ${whatOf(request)}${hint}`;
  return s3Error(message, { status, ...(known ? { code: known } : {}), isTemporary });
}

/** The error of a request without an answer: the name does not resolve, no server listens, or the connection broke. */
function lineFault(request: S3Request, error: unknown): S3Error {
  if (error instanceof TypeError) return s3Error(error.message, { isTemporary: false }, error);
  const { code, message, isTemporary } = error as NodeJS.ErrnoException & Partial<S3Error>;
  if (isTemporary === false) return error as S3Error;
  return s3Error(`The object store did not answer to ${whatOf(request)}: ${code ?? message}`, {
    ...(code === undefined ? {} : { code }),
    isTemporary: true,
  });
}

/** Sends signed requests over connections that are kept alive. */
function createTransport(settings: S3Settings): (request: S3Request) => Promise<IncomingMessage> {
  let opening: ReturnType<typeof openClient> | undefined;
  return async (request) => {
    opening ??= openClient(settings);
    // If the peer dependency is installed later, the next request finds it.
    opening.catch(() => {
      opening = undefined;
    });
    const { sign, start } = await opening;
    const { headers, url } = await sign(request);
    return answerTo(start(url, { method: request.method, headers }), request.body ?? NOTHING, settings.timeoutMs);
  };
}

async function openClient({ base, prefix, region, credentials }: S3Settings) {
  const { AwsV4Signer } = await import("aws4fetch").catch((cause: unknown) => {
    throw s3Error(
      "S3-compatible stores need the package aws4fetch: npm install aws4fetch",
      { isTemporary: false },
      cause,
    );
  });
  const { Agent, request: start } = base.startsWith("https:") ? await import("node:https") : await import("node:http");
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 16 });
  // Signing keys derived for a day. Their names contain the secret, so only today's keys are cached.
  const cache = new Map<string, ArrayBuffer>();
  return {
    start: (url: URL, options: { method: string; headers: Record<string, string> }) =>
      start(url, { ...options, agent }),
    async sign({ method, key, query, headers, body = NOTHING }: S3Request) {
      if (cache.size > 1) cache.clear();
      const url = `${base}${key === undefined ? "/" : `/${prefix}${key}`}?${new URLSearchParams(query)}`;
      const sent = { ...headers, "x-amz-content-sha256": body.sha256 };
      const signer = { ...(await credentials()), service: "s3", region, cache };
      const signed = await new AwsV4Signer({ ...signer, method, url, headers: sent }).sign();
      const length = method === "GET" || method === "HEAD" ? {} : { "content-length": String(body.sizeBytes) };
      return { url: signed.url, headers: { ...Object.fromEntries(signed.headers), ...length } };
    },
  };
}

function answerTo(request: ClientRequest, { pieces }: S3Body, timeoutMs: number): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => request.destroy(new Error("timeout")), timeoutMs);
    request.on("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    request.on("response", (response) => {
      clearTimeout(timer);
      resolve(response);
    });
    for (const piece of pieces) request.write(piece);
    request.end();
  });
}

async function readText(response: IncomingMessage, timeoutMs: number): Promise<string> {
  const timer = setTimeout(() => response.destroy(new Error("timeout")), timeoutMs);
  try {
    const pieces: Uint8Array[] = [];
    let size = 0;
    for await (const piece of response as AsyncIterable<Uint8Array>) {
      size += piece.length;
      if (size > MAX_TEXT) throw s3Error("The answer of the object store is too long", { isTemporary: false });
      pieces.push(piece);
    }
    return Buffer.concat(pieces).toString();
  } finally {
    clearTimeout(timer);
  }
}
