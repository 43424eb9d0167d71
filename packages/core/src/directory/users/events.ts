import type { DefinitionEvents } from "../../kernel/plugins/events.ts";

/** `id` is the key of the account. */
export interface UserEvents extends DefinitionEvents<"user"> {
  /** An administrator or a mailed key unlocked the account or changed its password: earlier failures no longer count. */
  "user.unlocked": { id: string };
}
