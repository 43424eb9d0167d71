import type { Actor } from "../../../kernel/calls/context.ts";
import { SessionError } from "../../../kernel/errors/errors.ts";
import { userKey } from "../rules/account.ts";

/** Key of the caller's account. Throws `SessionError` for API keys, users of the host and the engine, which have none. */
export function requireAccount(actor: Actor): string {
  if (actor.kind !== "user") throw new SessionError("This operation requires a user session.");
  return userKey(actor.id);
}
