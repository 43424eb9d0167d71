import { sha256Hex } from "../../../lib/hash.ts";

/** Eight hex digits that tell which key sealed a record (part 12 §8.2). */
export const keyFingerprint = (passphrase: string): string => sha256Hex(`fp${passphrase}`).slice(0, 8);
