import type { HostUser } from "@signalbox/core";
import { SignalboxError } from "@signalbox/core";
import type { DashboardHandler } from "./dashboard.ts";
import type { DashboardEngine, DashboardOptions, Viewer } from "./options.ts";
import type { Visitors } from "./visitors.ts";

/** Answers `boot.json`: what the pages need before they can be drawn, in one request. */
export type Boot = (asked: { request: Request; env: unknown; base: string }) => Promise<Response>;

interface Deps {
  readonly engine: DashboardEngine;
  readonly options: DashboardOptions;
  readonly title: string;
  readonly visitors: Visitors;
  readonly api: (base: string) => DashboardHandler;
}

/** A resumed session: who it belongs to, and what its later calls must carry. */
interface Resumed {
  readonly viewer?: Viewer;
  readonly csrfToken?: string;
  readonly account?: unknown;
  readonly cookies?: readonly string[];
}

export function createBoot({ engine, options, title, visitors, api }: Deps): Boot {
  const { logo, readOnly = false, links = [], pages = {}, timeZone } = options;
  const settings = { title, logo, readOnly, links, pages, timeZone };
  return async ({ request, env, base }) => {
    const host = visitors.userOf(request);
    const found = host ? { viewer: await viewerOf(engine, { hostUser: host }) } : await resume(request, env, base);
    const { viewer, csrfToken, account, cookies = [] } = found as Resumed;
    const now = Date.now() / 1000;
    const signIn = host ? "host" : "own";
    const headers = new Headers({ "Cache-Control": "no-store", Vary: "Cookie", "X-Content-Type-Options": "nosniff" });
    for (const cookie of cookies) headers.append("Set-Cookie", cookie);
    return Response.json({ ...settings, signIn, viewer, csrfToken, account, now }, { headers });
  };

  async function resume(request: Request, env: unknown, base: string): Promise<Resumed> {
    const cookie = request.headers.get("cookie") ?? "";
    const sessionId = /(?:^|;)\s*session_id="?([0-9a-f]{64})/.exec(cookie)?.[1];
    if (!sessionId) return {};
    const url = new URL(`${base}/api/user/resume_session/v1`, request.url);
    const headers = new Headers(request.headers);
    headers.delete("content-length");
    const answer = await api(base)(new Request(url, { method: "POST", headers }), env);
    const cookies = answer.headers.getSetCookie();
    if (!answer.ok) return { cookies };
    const { csrf_token: csrfToken, user: account } = (await answer.json()) as Record<string, unknown>;
    if (typeof csrfToken !== "string") return { cookies };
    const viewer = await viewerOf(engine, { credentials: { sessionId, csrfToken, sessionFromCookie: true } });
    return { csrfToken, account, cookies, ...(viewer ? { viewer } : {}) };
  }
}

interface Known {
  readonly hostUser?: HostUser;
  readonly credentials?: { sessionId: string; csrfToken: string; sessionFromCookie: true };
}

/** As the engine sees somebody at this moment; undefined for somebody who may not even listen. */
async function viewerOf(engine: DashboardEngine, known: Known): Promise<Viewer | undefined> {
  try {
    const actor = await engine.admit({ operation: "stream_updates", ...known });
    if (!actor) return undefined;
    const { kind, id, title, privileges, categories, groups } = actor;
    return { kind, id, title, privileges, categories, groups };
  } catch (error) {
    if (error instanceof SignalboxError) return undefined;
    throw error;
  }
}
