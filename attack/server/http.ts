/** Requests to the attacked server, each with a timeout and counted. */
import { Agent, request as nodeRequest } from "node:http";
import type { Tally } from "../judge/tally.ts";

export interface Ask {
  readonly method?: string;
  /** Path with its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Body; each element of a list is sent as a chunk, without a content length. */
  readonly body?: string | Buffer | readonly Buffer[];
  readonly timeoutMs?: number;
  /** The attacker does not wait for the answer, so a late one is no fault. */
  readonly abandoned?: boolean;
  /** True = uses a new connection. */
  readonly fresh?: boolean;
  /** Name of the caller, for the report. */
  readonly who?: string;
}

export interface Answer {
  /** 0 = the connection ended without an answer. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The part of the body that arrived within the bounds. */
  readonly text: string;
  /** True when no answer came in time. */
  readonly hung: boolean;
  /** True when a kept connection ended without an answer: the server may have closed it just as it was used. */
  readonly stale: boolean;
}

export interface Http {
  ask(ask: Ask): Promise<Answer>;
  /** Unanswered requests, and the last few answered ones. */
  recent(): Ask[];
  /** Requests so far. */
  asked(): number;
  /** Drops the answered requests from `recent`. */
  forget(): void;
  close(): void;
}

const TIMEOUT_MS = 30_000;
/** Characters read of an answer: an administrator's page may hold a thousand large records. */
const MAX_TEXT = 200_000_000;
/** Milliseconds read of a stream, which never ends: enough to judge it. */
const STREAM_MS = 40;
const KEPT = 12;
/**
 * The server closes a connection after five idle seconds; none is reused in the last part of them, given here, as machines may be
 * late.
 */
const UNUSED_BEFORE_END_MS = 4000;

export function createHttp(port: number, tally: Tally): Http {
  const agent = new Agent({ keepAlive: true, maxSockets: 256, agentKeepAliveTimeoutBuffer: UNUSED_BEFORE_END_MS });
  const open = new Set<Ask>();
  const done: Ask[] = [];
  let asked = 0;
  return {
    asked: () => asked,
    recent: () => [...done, ...open],
    forget: () => void done.splice(0),
    close: () => agent.destroy(),
    async ask(ask) {
      asked += 1;
      open.add(ask);
      const first = await exchange(agent, port, ask);
      const answer = first.stale ? await exchange(agent, port, { ...ask, fresh: true }) : first;
      open.delete(ask);
      done.push(ask);
      if (done.length > KEPT) done.shift();
      tally.count(answer);
      return answer;
    },
  };
}

function exchange(agent: Agent, port: number, ask: Ask): Promise<Answer> {
  const { method = "GET", path, headers = {}, body, timeoutMs = TIMEOUT_MS } = ask;
  return new Promise((resolve) => {
    const sent = typeof body === "string" || Buffer.isBuffer(body) ? lengthOf(body, headers) : {};
    const request = nodeRequest({
      agent: ask.fresh ? false : agent,
      host: "127.0.0.1",
      port,
      method,
      path,
      headers: { ...sent, ...headers },
    });
    const end = (answer: Partial<Answer>): void => {
      clearTimeout(timer);
      resolve({ status: 0, headers: {}, text: "", hung: false, stale: false, ...answer });
      request.destroy();
    };
    const timer = setTimeout(() => end({ hung: !ask.abandoned }), timeoutMs);
    request.on("error", () => end({ stale: request.reusedSocket }));
    request.on("response", (response) => {
      const { statusCode: status = 0, headers: got } = response;
      const chunks: Buffer[] = [];
      let size = 0;
      const finish = (): void => end({ status, headers: got, text: Buffer.concat(chunks).toString() });
      if (String(got["content-type"]).startsWith("text/event-stream")) setTimeout(finish, STREAM_MS);
      response.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size <= MAX_TEXT) chunks.push(chunk);
      });
      response.on("error", finish);
      response.on("close", finish);
      response.on("end", () => {
        clearTimeout(timer);
        resolve({ status, headers: got, text: Buffer.concat(chunks).toString(), hung: false, stale: false });
      });
    });
    send(request, body);
  });
}

const lengthOf = (body: string | Buffer, given: Readonly<Record<string, string>>): Record<string, string> =>
  Object.keys(given).some((name) => /^(content-length|transfer-encoding)$/i.test(name))
    ? {}
    : { "Content-Length": String(Buffer.byteLength(body)) };

function send(request: ReturnType<typeof nodeRequest>, body: Ask["body"]): void {
  if (body === undefined || typeof body === "string" || Buffer.isBuffer(body)) {
    request.end(body);
    return;
  }
  for (const chunk of body) request.write(chunk);
  request.end();
}

/** An operation's call with a JSON body. */
export const jsonCall = (operation: string, input: unknown, headers: Readonly<Record<string, string>> = {}): Ask => ({
  method: "POST",
  path: operation.startsWith("/") ? operation : `/api/app/${operation}/v1`,
  headers: { "Content-Type": "application/json", ...headers },
  body: typeof input === "string" ? input : JSON.stringify(input),
});
