import { equalSecrets, sha256Hex } from "../../../../lib/secrecy/hash.ts";

/** The two tokens that `join` may carry (docs/contract/satellites.md#handshake). */
export type TokenKind = "cluster" | "server";

/**
 * Kind of a token. "cluster" (token A) proves knowledge of the key, "server" (token B) belongs to one server. Undefined
 * = neither.
 */
export function tokenKind(
  token: unknown,
  given: { nonce: string; id: string; secretKey: string },
): TokenKind | undefined {
  if (typeof token !== "string") return undefined;
  const { nonce, id, secretKey } = given;
  // Always compares both, so that timing reveals nothing.
  const isCluster = equalSecrets(token, sha256Hex(nonce + secretKey));
  const isServer = equalSecrets(token, sha256Hex(id + secretKey));
  if (isServer) return "server";
  return isCluster ? "cluster" : undefined;
}
