import { sha256Hex } from "../../../lib/secrecy/hash.ts";

/** Eight hex digits that tell which key sealed a record (docs/contract/secrets.md#fingerprint). */
export const keyFingerprint = (passphrase: string): string => sha256Hex(`fp${passphrase}`).slice(0, 8);
