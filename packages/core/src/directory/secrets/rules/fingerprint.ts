import { sha256Hex } from "../../../lib/secrecy/hash.ts";

/** Eight hex digits that identify the key that sealed a record (docs/contract/secrets.md#fingerprint). */
export const keyFingerprint = (passphrase: string): string => sha256Hex(`fp${passphrase}`).slice(0, 8);
