import type { HostUser } from "@signalbox/core";
import { isFromForeignPage } from "@signalbox/http-hono/mount";
import type { Authorize } from "./options.ts";

type Greeting = Response | "refused" | undefined;

/** Visitors as the host names them; each request is asked about once. */
export interface Visitors {
  /** "refused", or the answer in place of everything; undefined = go on. Never waits where nobody is to be asked. */
  greet(request: Request, env: unknown): Greeting | Promise<Greeting>;
  /** Whom the host has signed in, after the greeting. */
  userOf(request: Request): HostUser | undefined;
}

const READING: ReadonlySet<string> = new Set(["GET", "HEAD"]);

export function createVisitors(authorize: Authorize | undefined): Visitors {
  const users = new WeakMap<Request, HostUser>();
  const askHost = async (ask: Authorize, request: Request, env: unknown): Promise<Greeting> => {
    const found = await ask(request, env);
    if (found === false) return "refused";
    if (found instanceof Response) return found;
    if (found === undefined) return undefined;
    // The host may know its people by a cookie, which travels with forms of foreign pages as well.
    if (!READING.has(request.method) && isFromForeignPage(request)) return "refused";
    users.set(request, found);
    return undefined;
  };
  return {
    greet: (request, env) => authorize && askHost(authorize, request, env),
    userOf: (request) => users.get(request),
  };
}
