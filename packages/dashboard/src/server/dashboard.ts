import { createRouter } from "@signalbox/http-hono";
import {
  type Answer,
  type CallHandler,
  callForm,
  type Handler,
  handlerOf,
  mountRouter,
  type PlainHandler,
  pathOf,
  plainForm,
} from "@signalbox/http-hono/mount";
import type { Hono } from "hono";
import { type Asset, type Assets, readAssets } from "./assets.ts";
import { type Boot, createBoot } from "./boot.ts";
import { GUARDED, pageOf, refusalOf } from "./html.ts";
import { checkOptions, type DashboardEngine, type DashboardOptions } from "./options.ts";
import { type Place, placeOf, wayUp } from "./place.ts";
import { readingEngine } from "./read-only.ts";
import { createVisitors, type Visitors } from "./visitors.ts";

/**
 * For every server that speaks `Request` and `Response`. `env` is what that server passes along with the request.
 * Answers synchronously if nothing has to be awaited.
 */
export type DashboardHandler = (request: Request, env?: unknown) => Response | Promise<Response>;

/** What all requests share. */
interface House {
  readonly options: DashboardOptions;
  readonly assets: Assets;
  readonly visitors: Visitors;
  readonly boot: Boot;
  readonly title: string;
  /** The API, the stored files and the health check, mounted below `base`. */
  readonly api: (base: string) => Handler;
}

/**
 * Creates the handler for the pages of an engine and for the API that they call, below the same mount point. Pass
 * requests with their full path: the handler finds the mount point in it.
 * Throws `TypeError` for invalid options and `Error` if the pages have not been built. Create it once, not per request.
 *
 * @example
 * const dashboard = createDashboard(signalbox, { title: "Ledgerly" });
 * app.all("/ops", (c) => dashboard(c.req.raw, c.env));
 * app.all("/ops/*", (c) => dashboard(c.req.raw, c.env));
 */
export function createDashboard(engine: DashboardEngine, options: DashboardOptions = {}): DashboardHandler {
  checkOptions(options);
  const visitors = createVisitors(options.authorize);
  const router = createRouter(options.readOnly ? readingEngine(engine) : engine, {
    ...options.api,
    ...(options.authorize && { resolveUser: (request) => visitors.userOf(request) }),
  });
  const api = mounted(router);
  const title = options.title ?? engine.config.client.name;
  const boot = createBoot({ engine, options, title, visitors, api });
  const house: House = { options, assets: readAssets(), visitors, boot, title, api };
  const plain: PlainHandler = (request, env = {}) => {
    const place = placeOf(pathOf(request.url), options.basePath);
    if (place.kind === "asset") return asset(house, place.rest, request);
    const go = (greeting: Response | "refused" | undefined): Answer | Promise<Answer> =>
      greeting === "refused" ? refuse(house, place) : (greeting ?? answer(house, place, { request, env }));
    const greeting = visitors.greet(request, env);
    return greeting instanceof Promise ? greeting.then(go) : go(greeting);
  };
  return handlerOf(plain, options.authorize ? undefined : callsOf(house));
}

/** Fast path for API calls, which need neither a page nor an answer of the host first. */
const callsOf =
  ({ options, api }: House): CallHandler =>
  (request, env) => {
    const { kind, base } = placeOf(pathOf(request.url), options.basePath);
    return kind === "api" ? callForm(api(base))?.(request, env) : undefined;
  };

interface Asked {
  readonly request: Request;
  readonly env: unknown;
}

function answer(house: House, place: Place, { request, env }: Asked): Answer | Promise<Answer> {
  const { boot, api } = house;
  if (place.kind === "boot") return boot({ request, env, base: place.base });
  if (place.kind === "page") return page(house, place, request);
  return plainForm(api(place.base))(request, env);
}

function page({ assets, title }: House, { base, rest }: Place, { method, url }: Request): Response {
  if (method !== "GET" && method !== "HEAD") return new Response("Not found", { status: 404 });
  const { pathname, search } = new URL(url);
  // Redirects to a trailing slash, because addresses below the base are relative to it.
  if (rest === "" && !pathname.endsWith("/")) {
    const last = base.slice(base.lastIndexOf("/") + 1);
    // The dot keeps a path segment such as `https:elsewhere` from being read as an absolute address.
    return new Response(null, {
      status: 308,
      headers: { Location: `./${last}/${search}`, "Cache-Control": "no-store" },
    });
  }
  const headers = { ...GUARDED, ...NOT_KEPT, "Content-Type": "text/html; charset=utf-8" };
  return new Response(method === "HEAD" ? null : pageOf(assets, { title, up: wayUp(rest), path: rest }), {
    headers,
  });
}

const NOT_KEPT = { "Cache-Control": "no-store", Vary: "Cookie" };

async function asset({ assets }: House, name: string, { method, headers }: Request): Promise<Response> {
  const found = assets.get(name);
  const isPacked = /\bgzip\b/.test(headers.get("accept-encoding") ?? "");
  const bytes = found && (method === "GET" || method === "HEAD") ? await bytesOf(found, isPacked) : undefined;
  if (!found || !bytes) return new Response("Not found", { status: 404 });
  return new Response(method === "HEAD" ? null : bytes, {
    headers: {
      "Content-Type": found.type,
      "Content-Length": String(bytes.byteLength),
      // A name with a content hash never changes its content.
      "Cache-Control": name === "icon.svg" ? "public, max-age=3600" : "public, max-age=31536000, immutable",
      "X-Content-Type-Options": "nosniff",
      Vary: "Accept-Encoding",
      ...(isPacked ? { "Content-Encoding": "gzip" } : {}),
    },
  });
}

/** Undefined if the file is gone, because another version was installed meanwhile. */
const bytesOf = (found: Asset, isPacked: boolean) =>
  (isPacked ? found.packed() : found.bytes()).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });

function refuse({ title }: House, { kind }: Place): Response {
  if (kind !== "page") return Response.json(REFUSED, { status: 403, headers: NOT_KEPT });
  const headers = { ...GUARDED, ...NOT_KEPT, "Content-Type": "text/html; charset=utf-8" };
  return new Response(refusalOf(title), { status: 403, headers });
}

const REFUSED = { code: "access", description: "You may not look at this page." };

/** Maximum number of cached mount points. A host has one or two; any others come from what callers put into the path. */
const MAX_MOUNTS = 8;

function mounted(router: Hono): House["api"] {
  const known = new Map<string, Handler>();
  return (base) => {
    // A mount point with parameters or unusual characters cannot be ours.
    if (!/^[\w\-.~%/]*$/.test(base)) return () => new Response("Not found", { status: 404 });
    let mount = known.get(base);
    if (!mount) {
      mount = mountRouter(router, base);
      known.set(base, mount);
      const [oldest] = known.keys();
      if (known.size > MAX_MOUNTS && oldest !== undefined) known.delete(oldest);
    }
    return mount;
  };
}
