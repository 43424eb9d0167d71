import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createBucket, fault, type Reply } from "./s3-bucket.ts";
import { signatureFault } from "./s3-signature.ts";

export const BUCKET = "test-bucket";
const ROOT = `/${BUCKET}/`;

/** Failure of the next request: a given answer, a connection cut before or after the work is done, or no answer. */
export type Mishap = Reply | "cut" | "cut-after" | "silence";

/** An object store on a local port with the part of S3 that the adapter uses; it checks every signature. */
export interface S3Server {
  readonly endpoint: string;
  readonly objects: ReturnType<typeof createBucket>["objects"];
  readonly uploads: ReturnType<typeof createBucket>["uploads"];
  /** "PUT key?query" of every request so far. */
  readonly seen: string[];
  /** Bytes of the longest request body. */
  readonly longestBody: () => number;
  /** Applies a mishap to the next request that matches, once. */
  onNext(pattern: RegExp, mishap: Mishap): void;
  close(): Promise<void>;
}

export interface S3ServerOptions {
  /** Most keys on one page, whatever the request asks for. Default 100. */
  readonly pageSize?: number;
  /** Session token that requests must carry. */
  readonly token?: string;
  /** Keeps no content of multipart uploads. Default false. */
  readonly isForgetful?: boolean;
}

export async function startS3Server(options: S3ServerOptions = {}): Promise<S3Server> {
  const { answer, ...held } = createResponder(options);
  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => response.destroy(error));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    ...held,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

interface Responder extends Omit<S3Server, "endpoint" | "close"> {
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

/** Answers requests from an in-memory bucket, except for the mishaps that tests set. */
function createResponder({ isForgetful = false, pageSize = 100, token }: S3ServerOptions): Responder {
  const bucket = createBucket(BUCKET, { isForgetful, pageSize });
  const seen: string[] = [];
  const mishaps: { readonly pattern: RegExp; readonly mishap: Mishap }[] = [];
  const mishapOf = (line: string): Mishap | undefined => {
    const at = mishaps.findIndex(({ pattern }) => pattern.test(line));
    return at < 0 ? undefined : mishaps.splice(at, 1)[0]?.mishap;
  };
  let longest = 0;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Uint8Array>));
    longest = Math.max(longest, body.length);
    const { pathname, searchParams: query } = new URL(request.url ?? "/", "http://host");
    const { headers, method = "" } = request;
    const path = decodeURIComponent(pathname);
    const line = `${method} ${path}?${query}`;
    seen.push(line);
    const mishap = mishapOf(line);
    if (mishap === "silence") return;
    if (mishap === "cut") return void response.destroy();
    const own = typeof mishap === "object" ? mishap : undefined;
    const key = path.slice(ROOT.length);
    const refused = refusalOf(path, signatureFault(request, body, token));
    const reply = refused ?? own ?? bucket.answer({ method, key, query, headers, body });
    if (mishap === "cut-after") return void response.destroy();
    send(response, method, reply);
  };

  return {
    ...{ answer, seen, objects: bucket.objects, uploads: bucket.uploads },
    longestBody: () => longest,
    onNext: (pattern, mishap) => void mishaps.push({ pattern, mishap }),
  };
}

/** Refuses a request with a wrong signature, or for another bucket. */
function refusalOf(path: string, wrong: string | undefined): Reply | undefined {
  if (wrong !== undefined) return fault(403, wrong);
  return path.startsWith(ROOT) ? undefined : fault(404, "NoSuchBucket");
}

function send(response: ServerResponse, method: string, { bytes, headers, status, xml = "" }: Reply): void {
  const body = bytes ?? Buffer.from(xml);
  response.writeHead(status, { ...headers, "content-length": String(body.length) });
  response.end(method === "HEAD" ? undefined : body);
}
