import { equalSecrets, sha256Hex } from "../../../../lib/secrecy/hash.ts";

/** Job id and, in the name of a server, its id. */
export interface AgentClaim {
  readonly job: string;
  readonly server: string;
}

/**
 * True for a server's token, or a token that its runners derive for one job (docs/contract/satellites.md#finishing).
 * `keys` are all that are valid now.
 */
export function isServerToken(auth: string, { job, server }: AgentClaim, keys: readonly string[]): boolean {
  // All forms are always compared, so that the time tells nothing.
  const hits = keys.flatMap((key) => {
    const own = sha256Hex(server + key);
    return [equalSecrets(auth, own), equalSecrets(auth, sha256Hex(job + own))];
  });
  return hits.includes(true);
}

/** The token of one job, made by agents that hold the secret key itself. */
export const isJobToken = (auth: string, job: string, keys: readonly string[]): boolean =>
  keys.map((key) => equalSecrets(auth, sha256Hex(job + key))).includes(true);
