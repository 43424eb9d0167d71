/**
 * Judges a password against a hash that another system made. True = it fits; false = it does not, or the form of the
 * hash is unknown. Must compare in constant time and must not block the event loop.
 */
export type PasswordVerifier = (password: string, hash: string) => Promise<boolean>;
