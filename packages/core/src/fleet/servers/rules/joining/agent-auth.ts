import { equalSecrets, sha256Hex } from "../../../../lib/secrecy/hash.ts";
import { isNamedLikeStream } from "./tokens.ts";

/** What a token must vouch for: the id of a job and, for tokens of servers, the id of the server. */
export interface AgentClaim {
  readonly job: string;
  readonly server: string;
}

/**
 * True for a server's token, or for the token that its runners derive for one job
 * (docs/contract/satellites.md#finishing). `keys` are all currently valid keys.
 */
export function isServerToken(auth: string, { job, server }: AgentClaim, keys: readonly string[]): boolean {
  // Always compares all forms, so that timing reveals nothing.
  const hits = keys.flatMap((key) => {
    const own = sha256Hex(server + key);
    return [equalSecrets(auth, own), equalSecrets(auth, sha256Hex(job + own))];
  });
  return hits.includes(true) && !isNamedLikeStream(server);
}

/** True for the token of one job, which agents derive that hold the secret key itself. */
export const isJobToken = (auth: string, job: string, keys: readonly string[]): boolean =>
  keys.map((key) => equalSecrets(auth, sha256Hex(job + key))).includes(true);
