/** A message from an administrator to all connected users (docs/contract/mail.md#notices-of-administrators). */
export interface Notice {
  readonly type: "info" | "warning" | "error" | "critical";
  readonly message: string;
  /** Name of a sound; absent = the sound of the type. */
  readonly sound?: string | undefined;
  /** Name of the administrator. */
  readonly username: string;
}

export interface MailEvents {
  /** A notice for the currently connected pages. Emitted on every node, and not stored. */
  "notice.broadcast": Notice;
}
