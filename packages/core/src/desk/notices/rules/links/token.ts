import { equalSecrets, hmacSha256 } from "../../../../lib/secrecy/hash.ts";

/** Claims of a link that acknowledges the firings of a problem that were reported to a receiver. */
export interface LinkClaims {
  /** Id. */
  readonly problem: string;
  /** Id. */
  readonly receiver: string;
  /** Unix seconds of the notice with the link, which does not acknowledge later firings. */
  readonly date: number;
  /** Name of the user that the notice was sent to; empty = any reader of the receiver's notices. */
  readonly user: string;
  /** Unix seconds. */
  readonly expires: number;
}

const VERSION = "2";
const MAC_BYTES = 16;
/** Base64url of the claims and the signature. */
const TOKEN = /^[\w-]{32,1000}$/;

/** A separate key, so that no other signature of the engine is valid for a link. */
const derived = (secretKey: string): Buffer => hmacSha256(secretKey, "acknowledgement by link");

const signatureOf = (text: string, secretKey: string): Buffer =>
  hmacSha256(derived(secretKey), text).subarray(0, MAC_BYTES);

/** The last part of a link's address. It is a credential: no login is needed in addition. */
export function linkToken({ problem, receiver, date, user, expires }: LinkClaims, secretKey: string): string {
  const text = [VERSION, problem, receiver, user, expires, date].join("\n");
  return Buffer.concat([Buffer.from(text), signatureOf(text, secretKey)]).toString("base64url");
}

/** Claims of a token; undefined if it is signed with none of the keys. Does not check the expiry. */
export function readLinkToken(token: string, secretKeys: readonly string[]): LinkClaims | undefined {
  if (!TOKEN.test(token)) return undefined;
  const bytes = Buffer.from(token, "base64url");
  const text = bytes.subarray(0, -MAC_BYTES).toString();
  const sent = bytes.subarray(-MAC_BYTES).toString("hex");
  const isSigned = secretKeys.map((key) => equalSecrets(sent, signatureOf(text, key).toString("hex"))).includes(true);
  const [version, problem = "", receiver = "", user = "", expires = "", date = ""] = text.split("\n");
  if (!isSigned || version !== VERSION) return undefined;
  return { problem, receiver, user, expires: Number(expires), date: Number(date) };
}
