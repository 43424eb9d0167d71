/** A message of an administrator to all connected users (docs/contract/mail.md#notices-of-administrators). */
export interface Notice {
  readonly type: "info" | "warning" | "error" | "critical";
  readonly message: string;
  /** Name of a sound; absent = the sound of the type. */
  readonly sound?: string | undefined;
  /** The administrator who says it. */
  readonly username: string;
}

export interface MailEvents {
  /** A notice for the pages that are connected at this moment, emitted on every node; not kept. */
  "notice.broadcast": Notice;
}
