/**
 * Verifies a password against a hash that another system made. False = it does not match, or the format of the hash is unknown.
 * Must compare in constant time and must not block the event loop.
 */
export type PasswordVerifier = (password: string, hash: string) => Promise<boolean>;
