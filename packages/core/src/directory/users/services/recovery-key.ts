import { hmacSha256 } from "../../../lib/secrecy/hash.ts";

/** 64 hex digits that only a holder of the secret key can make of a nonce. */
export const recoveryKey = (secretKey: string, user: string, nonce: string): string =>
  hmacSha256(secretKey, `password recovery\0${user}\0${nonce}`).toString("hex");
