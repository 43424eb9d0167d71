import { hmacSha256 } from "../../../lib/secrecy/hash.ts";

/** Derives 64 hex digits from a nonce; only a holder of the secret key can do that. */
export const recoveryKey = (secretKey: string, user: string, nonce: string): string =>
  hmacSha256(secretKey, `password recovery\0${user}\0${nonce}`).toString("hex");
