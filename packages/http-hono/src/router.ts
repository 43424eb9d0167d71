import { AccessError, InputError } from "@signalbox/core/plugin";
import { type Context, Hono, type Next, type NotFoundHandler } from "hono";
import { type Answer, type Handler, handlerOf, PlainAnswer, toResponse } from "./answer/plain-answer.ts";
import type { CallRequest } from "./caller/call-request.ts";
import { createClient, mountPath } from "./caller/client.ts";
import { preflight } from "./caller/cors.ts";
import { createDispatcher, type Dispatcher } from "./dispatch.ts";
import { pathOf } from "./input/query.ts";
import { createMetrics } from "./metrics/metrics.ts";
import type { Engine, HandlerOptions, HostEnv, RouterOptions } from "./options.ts";
import { createPathTable, type FindTarget, isVersioned } from "./paths.ts";
import { createDescriptions } from "./reference/answer.ts";
import { createSettings, type Settings } from "./settings.ts";

/** Matches any path, even with line breaks, since paths are decoded; a dot would leave those paths to the host. */
const ANYTHING = "[\\s\\S]+";

type Responder = (context: Context) => Answer | Promise<Answer>;
/** Reports the state of the node. Load balancers ask all the time, so it can answer without a `Request`. */
type Sign = () => Promise<Answer>;

/**
 * Makes a Hono app that answers for an engine: operations under `/api`, stored files under `/files`, liveness at `/health`,
 * counters at `/server-status`. Mount it with `app.route("/", router)` or under any sub-path, behind any middleware of the host;
 * satellites fetch `/files/…` from the root of the origin, so mount another router there if the API is elsewhere.
 *
 * Long JSON answers are compressed unless the host does it (`compress`); middleware of the host must not change event streams and
 * answers with a `Content-Encoding`. Throws `Error` for malformed options. Create it once, not per request.
 * @see docs/contract/requests.md
 */
export function createRouter(engine: Engine, options: RouterOptions = {}): Hono {
  const settings = createSettings(engine, options);
  const dispatcher = createDispatcher(settings);
  const find = createPathTable(engine);
  const { healthPath = "/health", readyPath = "/ready" } = options;
  const signs = new Map<string | false, Sign>([
    [readyPath, readySign(settings)],
    [healthPath, healthSign(settings, dispatcher)],
  ]);
  const calls: Calls = {
    answer: plainCalls(settings, dispatcher, { find, signs }),
    needRequest: options.resolveUser !== undefined || options.clientAddress !== undefined,
  };
  const app = Object.assign(new Hono(), { [CALLS]: calls });
  const answer = operationHandler(settings, dispatcher, find);
  // One parameter route for all operations, so that their number costs nothing.
  addRoute(app, settings, `${settings.apiBase}/:rest{${ANYTHING}}`, answer);
  for (const path of [settings.apiBase, `${settings.apiBase}/`]) addRoute(app, settings, path, answer);
  for (const [path, sign] of signs) if (path !== false) addReadRoute(app, settings, path, sign);
  const { statusPath = "/server-status", filesPath = "/files" } = options;
  if (statusPath !== false) addReadRoute(app, settings, statusPath, statusHandler(settings, dispatcher, statusPath));
  const { metricsPath = "/metrics" } = options;
  if (metricsPath !== false)
    addReadRoute(app, settings, metricsPath, metricsHandler(settings, dispatcher, metricsPath));
  if (filesPath !== false) addFilesRoute(app, settings, dispatcher, filesPath);
  return app;
}

/**
 * The router as one function, for any server that speaks `Request` and `Response`. `env` holds the server's objects for the
 * request, which provide the caller's address: the Node objects of `@hono/node-server`, the server of Bun, the connection of
 * Deno, or `{ remoteAddress }`.
 */
export function createHandler(engine: Engine, { basePath = "", ...options }: HandlerOptions = {}): Handler {
  const base = checkBase(basePath);
  return mountRouter(createRouter(engine, options), base, ({ req }) => {
    const where = `This handler answers below "${base}/", and ${req.path} is nothing of it`;
    return new Response(`${where}: basePath of createHandler names the path of its mount.\n`, { status: 404 });
  });
}

/** Mounts one of our routers below a path without a trailing slash. Nothing of the host may come between the two. */
export function mountRouter(router: Hono, base: string, notFound?: NotFoundHandler): Handler {
  const app = new Hono().route(base || "/", router);
  if (notFound) app.notFound(notFound);
  const { answer, needRequest } = (router as Hono & { readonly [CALLS]?: Calls })[CALLS] ?? NO_CALLS;
  return handlerOf(
    (request, env) => answer(request, env, base) ?? app.fetch(request, env as object | undefined),
    needRequest ? undefined : (request, env) => answer(request, env, base),
  );
}

/** Key under which a router stores its handler of plain calls; an undefined answer leaves a request to the routes. */
const CALLS = Symbol("calls");
type PlainCalls = (request: CallRequest, env: HostEnv, base: string) => Answer | Promise<Answer> | undefined;
interface Calls {
  readonly answer: PlainCalls;
  /** True if the host has callbacks that need a `Request`. */
  readonly needRequest: boolean;
}
/** For an app that another copy of this package has created. */
const NO_CALLS: Calls = { answer: () => undefined, needRequest: true };

interface Plain {
  readonly find: FindTarget;
  /** Probes by path. */
  readonly signs: ReadonlyMap<string | false, Sign>;
}

/** Handles calls by a plain path, and health probes, without Hono's routing and without creating a context for each. */
function plainCalls({ apiBase }: Settings, dispatcher: Dispatcher, { find, signs }: Plain): PlainCalls {
  return (raw, env, base) => {
    if (raw.method !== "GET" && raw.method !== "POST") return undefined;
    const path = pathOf(raw.url);
    const sign = raw.method === "GET" && path.startsWith(base) ? signs.get(path.slice(base.length)) : undefined;
    if (sign) return sign();
    const start = base.length + apiBase.length + 1;
    // Paths with escapes are left to the routes.
    if (!path.startsWith(`${base}${apiBase}/`) || path.includes("%")) return undefined;
    const target = find(path.slice(start));
    const req = { raw, path, text: () => raw.text() };
    return target && dispatcher.run({ req, env }, target, path.slice(base.length));
  };
}

function checkBase(basePath: string): string {
  if (basePath === "" || /^(?:\/[\w\-.~%]+)+\/?$/.test(basePath)) return basePath.replace(/\/$/, "");
  throw new TypeError(`createHandler: basePath must be a path such as "/ops", and is ${JSON.stringify(basePath)}`);
}

function addRoute(app: Hono, settings: Settings, path: string, handler: Responder): void {
  app.all(path, (context, next) => {
    if (context.req.raw.method !== "OPTIONS") return toResponse(handler(context));
    return answerPreflight(settings, context, next);
  });
}

/** Routes that only read leave other methods to the host. */
function addReadRoute(app: Hono, settings: Settings, path: string, handler: Responder): void {
  app.get(path, (context) => toResponse(handler(context)));
  app.options(path, (context, next) => answerPreflight(settings, context, next));
}

const answerPreflight = ({ cors, headers }: Settings, { req }: Context, next: Next) =>
  cors === "compat" ? preflight(req.raw.headers, headers) : next();

function operationHandler(settings: Settings, dispatcher: Dispatcher, find: FindTarget): Responder {
  const { apiBase } = settings;
  const descriptions = createDescriptions(settings, dispatcher.output);
  return (context) => {
    const rest = context.req.param("rest") ?? "";
    const target = find(rest);
    const tail = `${apiBase}/${rest}`;
    if (target) return dispatcher.run(context, target, tail);
    const describe = descriptions.get(rest);
    if (describe) return describe(mountPath({ path: context.req.path, tail }), context.req.raw.headers);
    const error = new InputError(`Invalid API URL: ${context.req.path}`);
    return dispatcher.refuse(context, error, isVersioned(rest));
  };
}

/**
 * Satellites only end jobs on "the primary". Every node serves every operation, so each one is "the primary" while it runs and
 * its storage answers, whether it leads or not.
 */
function healthSign({ engine, isStopping }: Settings, { output }: Dispatcher): Sign {
  return async () => {
    try {
      if (isStopping() || engine.fault()) return new PlainAnswer("", 503, {});
      await engine.dispatch({ operation: "ping" });
      const { node, leader = null } = engine.leadership();
      return output.success({ master: true, node, leader }, { pretty: false });
    } catch {
      // The engine has logged the reason; a load balancer does not need it.
      return new PlainAnswer("", 503, {});
    }
  };
}

/** Counters of this node's traffic, for callers at allowed addresses (docs/contract/requests.md#counters). */
function statusHandler(settings: Settings, { output, refuse }: Dispatcher, tail: string): Responder {
  const { traffic, openStreams, began, mayReadStatus } = settings;
  return (context) => {
    const client = createClient({ context, target: { versioned: true, pathSuffix: "" }, tail }, settings);
    if (!mayReadStatus(client.ip)) return refuse(context, new AccessError("Forbidden"), true);
    const { requests, bytesIn: bytes_in, bytesOut: bytes_out } = traffic;
    return output.success({ began, requests, bytes_in, bytes_out, streams: openStreams.size }, { pretty: false });
  };
}

/** Figures of this node, for callers at allowed addresses (docs/contract/requests.md#counters). */
function metricsHandler(settings: Settings, { refuse }: Dispatcher, tail: string): Responder {
  const metrics = createMetrics(settings);
  return async (context) => {
    const client = createClient({ context, target: { versioned: true, pathSuffix: "" }, tail }, settings);
    if (!settings.mayReadStatus(client.ip)) return refuse(context, new AccessError("Forbidden"), true);
    try {
      return new Response(await metrics(), { headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" } });
    } catch {
      // As for liveness, the engine has logged the reason.
      return new Response(null, { status: 503 });
    }
  };
}

const READY_HEADERS = { "content-type": "application/json", "cache-control": "no-store" };

/** Whether to send calls here: a proxy waits for it, or an operator who starts several nodes one after another. */
function readySign({ engine, isDraining, isStopping }: Settings): Sign {
  const say = (state: "starting" | "serving" | "draining", reason?: string): Answer => {
    const ready = reason === undefined;
    const said = { ready, node: engine.leadership().node, state, ...(ready ? {} : { reason }) };
    return new PlainAnswer(JSON.stringify(said), ready ? 200 : 503, READY_HEADERS);
  };
  return async () => {
    if (isStopping()) return say("draining", "stopping");
    if (isDraining()) return say("draining", "draining");
    if (engine.fault()) return say("serving", "storage");
    try {
      await engine.dispatch({ operation: "ping" });
      return say("serving");
    } catch {
      // Nothing works before the start; the engine tells its callers why.
      return say("starting", "not started");
    }
  };
}

/** `/files/<rest>` and the operation `file` are one resource (docs/contract/files.md#serving). */
function addFilesRoute(app: Hono, settings: Settings, dispatcher: Dispatcher, base: string): void {
  const operation = settings.engine.operations.get("file");
  if (!operation) return;
  const target = { key: "file", label: "app/file", operation, versioned: true, pathSuffix: "" };
  addReadRoute(app, settings, `${base}/:rest{${ANYTHING}}`, (context) => {
    const path = context.req.param("rest") ?? "";
    return dispatcher.run(context, target, `${base}/${path}`, { path });
  });
}
