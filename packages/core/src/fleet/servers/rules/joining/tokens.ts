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
  if (isOfServer(token, id, secretKey)) return "server";
  return isCluster ? "cluster" : undefined;
}

/** True for token B of this server. */
export const isOfServer = (token: string, id: string, secretKey: string): boolean =>
  equalSecrets(token, sha256Hex(id + secretKey)) && !isNamedLikeStream(id);

/**
 * True for an id whose token B equals the token of a job's event stream, which every holder of a magic link gets
 * (docs/contract/credentials.md#tokens). Such a token must not speak for a server.
 */
export const isNamedLikeStream = (id: string): boolean => /^streamj[0-9a-z]{8,}$/.test(id);
