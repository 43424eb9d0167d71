import type { HostUser } from "@signalbox/core";
import { SignalboxError } from "@signalbox/core";
import type { Actor } from "@signalbox/core/plugin";
import type { DashboardHandler } from "./dashboard.ts";
import type { DashboardEngine, DashboardOptions, Viewer } from "./options.ts";
import type { Visitors } from "./visitors.ts";

/** Answers `boot.json`: everything that the pages need before the first render, in one request. */
export type Boot = (asked: { request: Request; env: unknown; base: string }) => Promise<Response>;

interface Deps {
  readonly engine: DashboardEngine;
  readonly options: DashboardOptions;
  readonly title: string;
  readonly visitors: Visitors;
  readonly api: (base: string) => DashboardHandler;
}

/** A resumed session: whose it is, and what its later calls must carry. */
interface Resumed {
  readonly viewer?: Viewer;
  readonly csrfToken?: string;
  readonly account?: unknown;
  readonly cookies?: readonly string[];
  readonly lastId?: string;
}

export function createBoot({ engine, options, title, visitors, api }: Deps): Boot {
  const { logo, readOnly = false, links = [], pages = {}, timeZone } = options;
  const settings = { title, logo, readOnly, links, pages, timeZone };
  return async ({ request, env, base }) => {
    const host = visitors.userOf(request);
    const found = host ? await viewerOf(engine, { hostUser: host }) : await resume(request, env, base);
    const { viewer, csrfToken, account, lastId, cookies = [] } = found as Resumed;
    const now = engine.now();
    const signIn = host ? "host" : "own";
    const headers = new Headers({ "Cache-Control": "no-store", Vary: "Cookie", "X-Content-Type-Options": "nosniff" });
    for (const cookie of cookies) headers.append("Set-Cookie", cookie);
    return Response.json({ ...settings, signIn, viewer, csrfToken, account, lastId, now }, { headers });
  };

  async function resume(request: Request, env: unknown, base: string): Promise<Resumed> {
    const cookie = request.headers.get("cookie") ?? "";
    const sessionId = /(?:^|;)\s*session_id="?([0-9a-f]{64})/.exec(cookie)?.[1];
    if (!sessionId) return {};
    const url = new URL(`${base}/api/user/resume_session/v1`, request.url);
    const headers = new Headers(request.headers);
    headers.delete("content-length");
    // Avoids compression, because the answer is read here, and the answer for an account with many preferences would be compressed.
    headers.delete("accept-encoding");
    const answer = await api(base)(new Request(url, { method: "POST", headers }), env);
    const cookies = answer.headers.getSetCookie();
    if (!answer.ok) return { cookies };
    const { csrf_token: csrfToken, user: account } = (await answer.json()) as Record<string, unknown>;
    if (typeof csrfToken !== "string") return { cookies };
    const found = await viewerOf(engine, { credentials: { sessionId, csrfToken, sessionFromCookie: true } });
    return { csrfToken, account, cookies, ...found };
  }
}

interface Known {
  readonly hostUser?: HostUser;
  readonly credentials?: { sessionId: string; csrfToken: string; sessionFromCookie: true };
}

/** Returns the caller as the engine sees them now, or nothing if they may not even subscribe to updates. */
async function viewerOf(engine: DashboardEngine, known: Known): Promise<Pick<Resumed, "viewer" | "lastId">> {
  try {
    const actor = await engine.admit({ operation: "stream_updates", ...known });
    if (!actor) return {};
    const { kind, id, title, privileges, categories, groups } = actor;
    const viewer = { kind, id, title, privileges, categories, groups };
    return { viewer, lastId: await lastIdOf(engine, actor) };
  } catch (error) {
    if (error instanceof SignalboxError) return {};
    throw error;
  }
}

interface Updates {
  readonly updates: AsyncIterable<{ readonly id?: string }>;
}

/**
 * Id of the latest update of the stream. A page subscribes from this id on, so that it misses nothing between its first
 * requests and the moment when its own stream is open.
 */
async function lastIdOf(engine: DashboardEngine, actor: Actor): Promise<string> {
  const { updates } = (await engine.dispatch({ operation: "stream_updates", actor })) as Updates;
  for await (const { id } of updates) return id ?? "";
  return "";
}
