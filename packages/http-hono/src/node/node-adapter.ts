import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener, RequestError } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Answer, PlainAnswer } from "../answer/plain-answer.ts";
import { type Outgoing, sendPlain } from "./send-plain.ts";

/**
 * Tells the adapter that nothing is left to send. The adapter may have put its quick `Response` in place of Node's, and
 * would send such a one at once without a look at its headers: a copy is always one of Node's.
 */
const ALREADY_SENT = RESPONSE_ALREADY_SENT.clone();

/** A handler of a `Request` of the adapter's, with the objects of Node beside it. */
export type Asked = (request: Request, env: object) => Answer | Promise<Answer>;

/** A request of Node's as frameworks hand it on: `next` leads to the host's own handler of errors, where there is one. */
export interface Exchanged {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly next?: ((error: unknown) => void) | undefined;
}

/** Answers by `Request` and `Response`. The host's global ones stay unchanged. */
export async function adapt(asked: Asked, { incoming, outgoing, next }: Exchanged): Promise<void> {
  const listener = getRequestListener(
    (request, env) => {
      const answer = asked(request, env);
      return answer instanceof Promise ? answer.then((come) => sent(come, env.outgoing)) : sent(answer, env.outgoing);
    },
    { overrideGlobalObjects: false, errorHandler: (error) => failed(error, next) },
  );
  await listener(incoming, outgoing);
}

/**
 * Code of the host has failed, such as `authorize` of the dashboard. The adapter would answer 500 without a word to
 * anybody. Undefined: the host's own handler of errors answers.
 */
function failed(error: unknown, next: Exchanged["next"]): Response | undefined {
  // Its address or `Host` header is none: the caller's fault, and answered before any code of the host.
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
 * A packer of the host, such as `compression` of Express, gathers small pieces until it has many: events would never
 * arrive. Files that it packs lose their length, and ranges count bytes that nobody gets. It leaves alone an answer that
 * is not to be transformed. Its `flush` tells that it is there; without one clients get what other servers answer.
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
