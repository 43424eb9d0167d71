export interface AuthEvents {
  /** `user` is the key of the account. */
  "session.started": { user: string };
  /** The account itself or an administrator ended one or more of its sessions. */
  "session.ended": { user: string };
}
