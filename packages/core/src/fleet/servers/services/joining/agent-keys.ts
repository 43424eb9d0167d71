import { opensPlain } from "../../../../directory/files/rules/plain-token.ts";
import { keyFingerprint } from "../../../../directory/secrets/rules/fingerprint.ts";
import type { KeyedCradle } from "../../../../kernel/container.ts";
import { equalSecrets, sha256Hex } from "../../../../lib/secrecy/hash.ts";
import { type AgentClaim, isJobToken, isServerToken } from "../../rules/joining/agent-auth.ts";
import { type TokenKind, tokenKind } from "../../rules/joining/tokens.ts";

/**
 * Makes and checks the tokens of agents (docs/contract/satellites.md#handshake, docs/contract/satellites.md#bounds).
 * Tokens of earlier keys count for a while after these were replaced. The keys themselves never leave it.
 */
export interface AgentKeys {
  /** The token that a `join` carries; undefined = none. */
  joinToken(token: unknown, given: { readonly nonce: string; readonly id: string }): JoinToken | undefined;
  /** Token B of this server. */
  isOfServer(token: string, id: string): boolean;
  /** Token B, or the token that the server's runners derive from it for one job. */
  speaksForServer(token: string, claim: AgentClaim): boolean;
  /** The token of one job. */
  speaksForJob(token: string, job: string): boolean;
  /** Opens one file whose path can be guessed; `now` is Unix seconds. */
  opensPlain(token: string, key: string, now: number): boolean;
  /** Token B of a server, made with the current key. */
  serverToken(id: string): string;
  /** Finds out since when the current key is the current one; before that no earlier one counts. */
  load(): Promise<void>;
}

interface JoinToken {
  readonly kind: TokenKind;
  /** Made with the current key. */
  readonly isCurrent: boolean;
}

const STATE_KEY = "agents.secret_key";
const STATE_SINCE = "agents.secret_key_since";

type Deps = Pick<KeyedCradle, "clock" | "config" | "previousSecretKeys" | "secretKey" | "state" | "transact">;

export function createAgentKeys(deps: Deps): AgentKeys {
  const { clock, config, state, transact } = deps;
  /** Unix seconds. */
  let since = 0;
  let loaded: string | undefined;
  const isGraceOver = (): boolean => clock.now() >= since + config.satellite.secret_key_grace_hours * 3600;
  /** Changed since `load`, and so just now. */
  const isNew = (): boolean => loaded !== undefined && loaded !== deps.secretKey;
  /** The current key first. */
  const accepted = (): readonly string[] =>
    isGraceOver() && !isNew() ? [deps.secretKey] : [deps.secretKey, ...deps.previousSecretKeys];
  return {
    joinToken(token, given) {
      // All keys are always tried, so that the time tells nothing.
      const kinds = accepted().map((key) => tokenKind(token, { ...given, secretKey: key }));
      const index = kinds.findIndex((kind) => kind !== undefined);
      const kind = kinds[index];
      return kind && { kind, isCurrent: index === 0 };
    },
    isOfServer: (token, id) =>
      accepted()
        .map((key) => equalSecrets(token, sha256Hex(id + key)))
        .includes(true),
    speaksForServer: (token, claim) => isServerToken(token, claim, accepted()),
    speaksForJob: (token, job) => isJobToken(token, job, accepted()),
    opensPlain: (token, key, now) => opensPlain(token, key, { keys: accepted(), now }),
    serverToken: (id) => sha256Hex(id + deps.secretKey),
    async load() {
      const { secretKey, previousSecretKeys } = deps;
      // Without an earlier key there is nothing to end.
      if (previousSecretKeys.length > 0) since = await begunAt(keyFingerprint(secretKey));
      loaded = secretKey;
    },
  };

  function begunAt(fingerprint: string): Promise<number> {
    return transact(async ({ tx }) => {
      const known = await state.read(tx, STATE_SINCE);
      if ((await state.read(tx, STATE_KEY)) === fingerprint && typeof known === "number") return known;
      const now = Math.floor(clock.now());
      await state.set(tx, STATE_KEY, fingerprint);
      await state.set(tx, STATE_SINCE, now);
      return now;
    });
  }
}
