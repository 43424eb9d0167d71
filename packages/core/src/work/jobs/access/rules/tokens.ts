import { sha256Hex } from "../../../../lib/secrecy/hash.ts";

/**
 * Token that opens the log of one job without credentials: 22 characters of URL-safe Base64
 * (docs/contract/credentials.md#tokens).
 */
export const downloadToken = (jobId: string, secretKey: string): string =>
  Buffer.from(sha256Hex(`download${jobId}${secretKey}`).slice(0, 32), "hex").toString("base64url");

/** Token that opens the event stream of one job without credentials. */
export const streamToken = (jobId: string, secretKey: string): string => sha256Hex(`stream${jobId}${secretKey}`);
