import type { DefinitionEvents } from "../../kernel/plugins/events.ts";

export interface SecretEvents extends DefinitionEvents<"secret"> {
  /** The current secret key of this node has changed. */
  "secret_key.changed": Record<never, never>;
  /** Nothing is sealed with a previous key any more. `secrets` counts the secrets under the current one. */
  "secrets.rotated": { secrets: number };
}
