/**
 * Handlers for the servers of Node: Express, Connect, Koa, Fastify, NestJS and `node:http` itself.
 *
 * @module
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { type Answer, type CallHandler, type Coming, callForm, PlainAnswer, plainForm } from "./answer/plain-answer.ts";
import { sentBody } from "./body/sent-body.ts";
import type { Asked, Exchanged } from "./node/node-adapter.ts";
import { nodeCall } from "./node/node-call.ts";
import { sendPlain } from "./node/send-plain.ts";

/** A handler: made by `createHandler` or `createDashboard`, or the `fetch` of an app. */
export type FetchHandler = (request: Request, env: object) => Response | Promise<Response>;

/**
 * A listener of `node:http`, and middleware for Express and Connect that answers every request. Errors of the host's code, such
 * as `authorize`, are passed to `next`; without `next` they are written to the console and answered with 500.
 */
export type NodeListener = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  next?: (error: unknown) => void,
) => Promise<void>;

/** Members that frameworks add to a Node message. */
interface Passed {
  url?: string | undefined;
  /** The path before Express removed the mount path from it. */
  readonly originalUrl?: string;
  /** The body that middleware has read. */
  readonly body?: unknown;
  rawBody?: unknown;
}

/**
 * Turns a handler into a listener. Requests keep their whole path, even if Express has removed the mount path; a body that
 * middleware has already read is taken from `request.body`.
 *
 * @example
 * app.use("/ops", nodeListener(createDashboard(signalbox)));
 * app.use("/ops", nodeListener(createHandler(signalbox, { basePath: "/ops" })));
 */
export function nodeListener(handler: FetchHandler): NodeListener {
  if (typeof handler !== "function")
    throw new TypeError("nodeListener: its handler is no function: give what createDashboard or createHandler makes");
  const [call, plain] = [callForm(handler), plainForm(handler)];
  return (incoming, outgoing, next) => {
    const passed = incoming as IncomingMessage & Passed;
    if (passed.originalUrl !== undefined) passed.url = passed.originalUrl;
    const rest = call ? answerCall(call, plain, { incoming, outgoing }) : plain;
    // Most calls are answered by now, and a promise for each would be the most expensive part of the listener.
    return rest === undefined ? ANSWERED : handOn(rest, { incoming: passed, outgoing, next });
  };
}

const ANSWERED = Promise.resolve();

/** Lets the adapter answer requests that are not usual calls. */
async function handOn(
  coming: Coming<Asked | undefined>,
  exchanged: Exchanged & { readonly incoming: Passed },
): Promise<void> {
  const rest = await coming;
  if (!rest) return;
  if (exchanged.incoming.readableDidRead) restore(exchanged.incoming);
  // The adapter loads all of Node's `fetch`, which a server that only handles calls can do without.
  const { adapt } = await import("./node/node-adapter.ts");
  await adapt(rest, exchanged);
}

/** Answers a call of the usual form; for any other request, returns the handler that the adapter should use. */
function answerCall(call: CallHandler, plain: Asked, env: Exchanged): Coming<Asked | undefined> {
  const send = (answer: Answer): Asked | undefined => {
    if (!(answer instanceof PlainAnswer)) return () => answer;
    sendPlain(answer, env.outgoing);
    return undefined;
  };
  // For example, when the host's log throws.
  const fail =
    (error: unknown): Asked =>
    () =>
      Promise.reject(error);
  try {
    const request = nodeCall(env.incoming, env.outgoing);
    const coming = request && call(request, env);
    if (!coming) return plain;
    return coming instanceof Promise ? coming.then(send).catch(fail) : send(coming);
  } catch (error) {
    return fail(error);
  }
}

/** Puts a body that middleware has read into `rawBody`, which the adapter uses instead of reading. */
function restore(incoming: IncomingMessage & Passed): void {
  if (incoming.rawBody instanceof Buffer) return;
  const bytes = sentBody(incoming.body, incoming.headers["content-type"] ?? "");
  if (!bytes) return;
  incoming.rawBody = bytes;
  // The restored body may be longer than the sent one, and Node's parser has not checked its length.
  delete incoming.headers["content-length"];
}

/** The Node request of a call, with the members that the host's middleware added to it; undefined on another server. */
export function nodeRequest<Request extends IncomingMessage = IncomingMessage>(env: unknown): Request | undefined {
  return (env as { incoming?: Request } | undefined)?.incoming;
}

/** The members of Fastify that the plugin uses. */
interface Scope {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(type: string, parser: (request: unknown, payload: unknown, done: Done) => void): unknown;
  all(path: string, answer: (request: { raw: IncomingMessage }, reply: Reply) => void): unknown;
}
type Done = (error: Error | null) => void;
interface Reply {
  readonly raw: ServerResponse;
  getHeaders(): Readonly<Record<string, number | string | string[] | undefined>>;
  hijack(): unknown;
}

/**
 * Creates a Fastify plugin. Fastify parses no bodies within it, so forms and uploads arrive unchanged. Headers set by the app's
 * hooks, for example by `@fastify/cors`, are sent as well.
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
        // Fastify keeps these headers for its own answers.
        for (const [name, value] of Object.entries(reply.getHeaders()))
          if (value !== undefined) reply.raw.setHeader(name, value);
        void listener(request.raw, reply.raw);
      });
  };
}
