import type { Actor, Client, Credentials } from "../../kernel/calls/context.ts";
import { anonymous } from "../../kernel/calls/context.ts";
import type { Gatekeeper } from "../../kernel/calls/gatekeeper.ts";
import type { Cradle } from "../../kernel/container.ts";
import { DomainError, SessionError } from "../../kernel/errors/errors.ts";
import { equalSecrets } from "../../lib/secrecy/hash.ts";
import { mayAccess, requireAccess } from "../access/require-access.ts";
import { userRecords } from "../users/records.ts";
import { csrfTokenOf } from "./rules/session.ts";
import { createActors } from "./services/actors.ts";
import { createKeyCheck } from "./services/keys/keys.ts";

type Deps = Pick<Cradle, "clock" | "config" | "definitions" | "keyUses" | "registry" | "sessions">;

interface Ambient extends Credentials {
  readonly sessionId: string;
}

/** Finds the caller of a call (docs/contract/credentials.md#resolution) and checks the caller's rights. */
export function createGatekeeper(deps: Deps): Gatekeeper {
  const { definitions, registry, config, sessions } = deps;
  const checkKey = createKeyCheck(deps);
  const actors = createActors(definitions);
  const byKey = (plain: string, client: Client): Actor => actors.ofKey(checkKey(plain, client));

  async function bySession(credentials: Ambient, client: Client): Promise<Actor> {
    const { sessionId, apiKey, sessionFromCookie } = credentials;
    const session = await sessions.find(sessionId);
    if (!session) {
      // Browsers send cookies automatically, so an expired one must not block a valid key.
      if (sessionFromCookie && apiKey !== undefined) return byKey(apiKey, client);
      throw new SessionError("Session has expired or is invalid.");
    }
    if (config.User.use_csrf) requireCsrfToken(credentials, client.method);
    const user = definitions.get(userRecords, session.user);
    if (!user) throw new DomainError("user", "unknown", `User not found: ${session.username}`);
    if (!user.active) throw new SessionError(`User account is disabled: ${session.username}`);
    sessions.touch(session);
    return { ...actors.ofUser(user), session: session.id };
  }

  return {
    authenticate(credentials, client) {
      const { apiKey, sessionId } = credentials;
      if (sessionId !== undefined) return bySession({ ...credentials, sessionId }, client);
      return apiKey === undefined ? anonymous : byKey(apiKey, client);
    },
    admit: actors.ofHost,
    authorize(actor, access) {
      if (access.kind === "anyone" || access.kind === "token" || access.kind === "unchecked") return;
      if (access.kind !== "privilege") return requireAccess(actor, {});
      if (access.or !== undefined && mayAccess(actor, { privilege: access.or })) return;
      requireAccess(actor, { privilege: access.id }, registry.privileges);
    },
  };
}

/**
 * Requires the CSRF token for changes by a cookie session: browsers send cookies automatically. A `GET` or `HEAD` only reads, so
 * it needs none.
 */
function requireCsrfToken({ sessionId, csrfToken, sessionFromCookie }: Ambient, method: string): void {
  if (!sessionFromCookie || method === "GET" || method === "HEAD") return;
  if (csrfToken === undefined || !equalSecrets(csrfToken, csrfTokenOf(sessionId)))
    throw new SessionError("Invalid session");
}
