/**
 * A signed-in browser or program (docs/contract/credentials.md#sessions). Neither its id nor its CSRF token is stored: see
 * `rules/session.ts`.
 */
export interface Session {
  /** SHA-256 of the session id. */
  id: string;
  /** Key of the account. */
  readonly user: string;
  /** The user name as it was typed at the login. */
  readonly username: string;
  readonly ip: string;
  readonly useragent: string;
  /** Unix seconds. */
  readonly created: number;
  /** Unix seconds of the last use that was saved. */
  readonly modified: number;
  /** Unix seconds. */
  readonly expires: number;
}

/** Last use of an API key. Stored separately from the key's record, which only people change. */
export interface KeyUse {
  /** Id of the key. */
  id: string;
  /** Unix seconds. */
  readonly last_used: number;
}
