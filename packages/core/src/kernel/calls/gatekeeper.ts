import type { Awaitable } from "../../lib/turns/awaitable.ts";
import type { Actor, Client, Credentials, HostUser } from "./context.ts";
import type { Access } from "./operation.ts";

/** Identifies callers and checks their rights. The auth domain provides it; only the pipeline uses it. */
export interface Gatekeeper {
  /**
   * Resolves credentials to an actor (docs/contract/credentials.md#resolution) and counts the request against the key's
   * rate. No credentials give `anonymous`. Throws `SessionError`, `InputError` (disabled, expired) or `RateError`.
   */
  authenticate(credentials: Credentials, client: Client): Awaitable<Actor>;
  /** The actor for a person whom the host has signed in. Throws `InputError` for a malformed id. */
  admit(user: HostUser): Awaitable<Actor>;
  /** Throws `SessionError` for an unknown caller and `AccessError` for a missing privilege. */
  authorize(actor: Actor, access: Access): void;
}
