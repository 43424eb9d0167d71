import type { DefinitionEvents } from "../../kernel/plugins/events.ts";

/** `id` is the key of the account. */
export interface UserEvents extends DefinitionEvents<"user"> {
  /** An administrator unlocked or enabled the account, or it has a new password: earlier failures no longer count. */
  "user.unlocked": { id: string };
}
