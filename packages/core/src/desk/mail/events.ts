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
  /** On every node, for the pages that are connected to it at this moment; not kept. */
  "notice.broadcast": Notice;
}
