import type { DefinitionEvents } from "../../kernel/plugins/events.ts";

export interface SecretEvents extends DefinitionEvents<"secret"> {
  /** This node signs and seals with another key than before. */
  "secret_key.changed": Record<never, never>;
  /** Nothing is sealed with a previous key any more. `secrets` counts the secrets under the current one. */
  "secrets.rotated": { secrets: number };
}
