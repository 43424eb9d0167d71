/**
 * Handlers inside the servers of Node: Express, Connect, Koa, Fastify, NestJS and `node:http` itself. Needs the package
 * `@hono/node-server`.
 *
 * @module
 */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Answer, PlainAnswer, plainForm } from "./plain-answer.ts";
import { sentBody } from "./sent-body.ts";

/** What answers: `createHandler`, `createDashboard`, or the `fetch` of an app. */
export type FetchHandler = (request: Request, env: object) => Response | Promise<Response>;

/** A listener of `node:http`, and middleware of Express and Connect that answers every request. */
export type NodeListener = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

/** What frameworks leave at a message of Node. */
interface Passed {
  url?: string | undefined;
  /** The path before Express took the mount from it. */
  readonly originalUrl?: string;
  /** What middleware has read. */
  readonly body?: unknown;
  rawBody?: unknown;
}

/**
 * Makes a listener of a handler. Requests keep their whole path, also where Express has taken the mount from it; a body
 * that middleware has read before is taken from `request.body`.
 *
 * @example
 * app.use("/ops", nodeListener(createDashboard(signalbox)));
 * app.use("/ops", nodeListener(createHandler(signalbox, { basePath: "/ops" })));
 */
export function nodeListener(handler: FetchHandler): NodeListener {
  if (typeof handler !== "function")
    throw new TypeError("nodeListener: its handler is no function: give what createDashboard or createHandler makes");
  const plain = plainForm(handler);
  const listener = getRequestListener(
    (request, env) => {
      const answer = plain(request, env);
      return answer instanceof Promise ? answer.then((come) => sent(come, env.outgoing)) : sent(answer, env.outgoing);
    },
    // The host's own `Request` and `Response` stay what they are.
    { overrideGlobalObjects: false },
  );
  return async (incoming, outgoing) => {
    const passed = incoming as IncomingMessage & Passed;
    if (passed.originalUrl !== undefined) passed.url = passed.originalUrl;
    if (incoming.readableDidRead) restore(passed);
    await listener(incoming, outgoing);
  };
}

/**
 * Tells the adapter that nothing is left to send. The adapter may have put its quick `Response` in place of Node's, and
 * would send one of those at once, whatever its headers say: a copy is always one of Node's.
 */
const ALREADY_SENT = RESPONSE_ALREADY_SENT.clone();

/** As much of both kinds of answers of Node as is used. */
interface Outgoing {
  readonly headersSent: boolean;
  writeHead(status: number, headers: OutgoingHttpHeaders): unknown;
  end(body: string | Uint8Array): unknown;
}

/** Sends what needs no `Response`. */
function sent(answer: Answer, outgoing: Outgoing): Response {
  if (!(answer instanceof PlainAnswer)) return answer;
  const { body, headers, status } = answer;
  // Something of the host may have answered meanwhile.
  if (outgoing.headersSent) return ALREADY_SENT;
  outgoing.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) });
  outgoing.end(body);
  return ALREADY_SENT;
}

/** The adapter takes `rawBody` in place of what it would read. */
function restore(incoming: IncomingMessage & Passed): void {
  if (incoming.rawBody instanceof Buffer) return;
  const bytes = sentBody(incoming.body, incoming.headers["content-type"] ?? "");
  if (!bytes) return;
  incoming.rawBody = bytes;
  // Written anew it may be longer than what came: the parser of Node has not counted these bytes.
  delete incoming.headers["content-length"];
}

/** The Node request of a call, with what the host's middleware left at it; undefined for another server. */
export function nodeRequest<Request extends IncomingMessage = IncomingMessage>(env: unknown): Request | undefined {
  return (env as { incoming?: Request } | undefined)?.incoming;
}

/** As much of Fastify as the plugin uses. */
interface Scope {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(type: string, parser: (request: unknown, payload: unknown, done: Done) => void): unknown;
  all(path: string, answer: (request: { raw: IncomingMessage }, reply: Reply) => void): unknown;
}
type Done = (error: Error | null) => void;
interface Reply {
  readonly raw: ServerResponse;
  hijack(): unknown;
}

/**
 * Makes a plugin of Fastify, which reads no bodies there, so that forms and uploads arrive as they are.
 *
 * @example
 * app.register(fastifyPlugin(createDashboard(signalbox)), { prefix: "/ops" });
 */
export function fastifyPlugin(handler: FetchHandler): (scope: Scope) => Promise<void> {
  const listener = nodeListener(handler);
  return async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
    for (const path of ["/", "/*"])
      scope.all(path, (request, reply) => {
        reply.hijack();
        void listener(request.raw, reply.raw);
      });
  };
}
