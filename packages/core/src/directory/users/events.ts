import type { DefinitionEvents } from "../../kernel/plugins/events.ts";

/** The id in them is the key of the account. */
export interface UserEvents extends DefinitionEvents<"user"> {
  /** The account was unlocked or has a new password by an administrator or a mailed key: earlier failures count no more. */
  "user.unlocked": { id: string };
}
