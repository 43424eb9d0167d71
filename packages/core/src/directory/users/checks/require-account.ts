import type { Actor } from "../../../kernel/calls/context.ts";
import { SessionError } from "../../../kernel/errors/errors.ts";
import { userKey } from "../rules/account.ts";

/** Key of the caller's own account. Throws `SessionError` for keys, hosts' users and the engine: they have none. */
export function requireAccount(actor: Actor): string {
  if (actor.kind !== "user") throw new SessionError("This operation requires a user session.");
  return userKey(actor.id);
}
