export interface AuthEvents {
  /** `user` is the key of the account. */
  "session.started": { user: string };
  /** One or more of the account's sessions were ended by it or by an administrator. */
  "session.ended": { user: string };
}
