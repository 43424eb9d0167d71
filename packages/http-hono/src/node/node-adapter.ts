import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener, RequestError } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Answer, PlainAnswer } from "../answer/plain-answer.ts";
import { type Outgoing, sendPlain } from "./send-plain.ts";

/**
 * Tells the adapter that nothing is left to send. The adapter may have replaced Node's `Response` with its fast one, and would
 * send such a response at once without checking its headers; a clone is always one of Node's.
 */
const ALREADY_SENT = RESPONSE_ALREADY_SENT.clone();

/** A handler that receives the adapter's `Request`, and the objects of Node. */
export type Asked = (request: Request, env: object) => Answer | Promise<Answer>;

/** A Node request as frameworks pass it on: `next` leads to the host's error handler, if there is one. */
export interface Exchanged {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly next?: ((error: unknown) => void) | undefined;
}

/** Answers with `Request` and `Response`. The host's globals stay unchanged. */
export async function adapt(asked: Asked, { incoming, outgoing, next }: Exchanged): Promise<void> {
  const listener = getRequestListener(
    (request, env) => {
      const answer = asked(request, env);
      return answer instanceof Promise ? answer.then((come) => sent(come, env.outgoing)) : sent(answer, env.outgoing);
    },
    // HTTP/1.0 needs no `Host` header, and load balancers check a server's health without one.
    { hostname: "localhost", overrideGlobalObjects: false, errorHandler: (error) => failed(error, next) },
  );
  await listener(incoming, outgoing);
}

/**
 * Handles a failure of the host's code, such as `authorize` of the dashboard, which the adapter would silently answer with 500.
 * Undefined: the host's error handler answers.
 */
function failed(error: unknown, next: Exchanged["next"]): Response | undefined {
  // An invalid address or `Host` header is the caller's fault, and is answered before any code of the host runs.
  if (error instanceof RequestError) return new Response(null, { status: 400 });
  if (next) {
    next(error);
    return undefined;
  }
  console.error("signalbox: the host failed at a request", error);
  const body = { code: "internal", description: "Internal server error" };
  return Response.json(body, { status: 500, headers: { "Cache-Control": "no-store" } });
}

/**
 * Marks an answer as not to be transformed, if the host compresses (for example with `compression` of Express). Compression
 * buffers small pieces, so events would never arrive; compressed files lose their length, and ranges would count bytes that
 * nobody receives. A `flush` method reveals that compression is there; without it clients receive what other servers answer.
 */
function asItComes(answer: Response, outgoing: Outgoing): Response {
  const isEvents = answer.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  if (!("flush" in outgoing) || !(isEvents || answer.headers.has("accept-ranges"))) return answer;
  const headers = new Headers(answer.headers);
  headers.append("Cache-Control", "no-transform");
  return new Response(answer.body, { status: answer.status, headers });
}

function sent(answer: Answer, outgoing: Outgoing): Response {
  if (!(answer instanceof PlainAnswer)) return asItComes(answer, outgoing);
  sendPlain(answer, outgoing);
  return ALREADY_SENT;
}
