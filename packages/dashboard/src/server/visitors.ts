import type { HostUser } from "@signalbox/core";
import { isFromForeignPage } from "@signalbox/http-hono/mount";
import type { Authorize } from "./options.ts";

type Greeting = Response | "refused" | undefined;

/** Visitors as identified by the host, which is asked once per request. */
export interface Visitors {
  /**
   * Resolves to "refused", to the response to send instead of everything, or to undefined = continue. Synchronous if
   * there is no host to ask.
   */
  greet(request: Request, env: unknown): Greeting | Promise<Greeting>;
  /** The user whom the host has signed in. Call it after `greet`. */
  userOf(request: Request): HostUser | undefined;
}

const READING: ReadonlySet<string> = new Set(["GET", "HEAD"]);

export function createVisitors(authorize: Authorize | undefined): Visitors {
  const users = new WeakMap<Request, HostUser>();
  const askHost = async (ask: Authorize, request: Request, env: unknown): Promise<Greeting> => {
    const found = await ask(request, env);
    if (found === false) return "refused";
    if (found instanceof Response) return found;
    if (found === undefined || found === null) return undefined;
    // `true` is easily mistaken for "may look".
    if (typeof found !== "object")
      throw new TypeError(`authorize answered ${found}: it answers a user, undefined, false or a Response`);
    // The host may identify people by a cookie, which browsers also send with forms on foreign pages (CSRF).
    if (!READING.has(request.method) && isFromForeignPage(request)) return "refused";
    users.set(request, found);
    return undefined;
  };
  return {
    greet: (request, env) => authorize && askHost(authorize, request, env),
    userOf: (request) => users.get(request),
  };
}
