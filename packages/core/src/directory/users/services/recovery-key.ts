import { createHmac } from "node:crypto";

/** 64 hex digits that only a holder of the secret key can make of a nonce. */
export const recoveryKey = (secretKey: string, user: string, nonce: string): string =>
  createHmac("sha256", secretKey).update(`password recovery\0${user}\0${nonce}`).digest("hex");
