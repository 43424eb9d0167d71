import { opensPlain } from "../../../../directory/files/rules/plain-token.ts";
import { keyFingerprint } from "../../../../directory/secrets/rules/fingerprint.ts";
import type { KeyedCradle } from "../../../../kernel/container.ts";
import { sha256Hex } from "../../../../lib/secrecy/hash.ts";
import { type AgentClaim, isJobToken, isServerToken } from "../../rules/joining/agent-auth.ts";
import { isOfServer, type TokenKind, tokenKind } from "../../rules/joining/tokens.ts";

/**
 * Makes and checks tokens of agents (docs/contract/satellites.md#handshake, docs/contract/satellites.md#bounds). Tokens
 * of earlier keys stay valid for a while after a key was replaced. The keys themselves are never exposed.
 */
export interface AgentKeys {
  /** Verifies the token of a `join`; undefined = invalid. */
  joinToken(token: unknown, given: { readonly nonce: string; readonly id: string }): JoinToken | undefined;
  /** True for token B of this server. */
  isOfServer(token: string, id: string): boolean;
  /** True for token B, or the token that the server's runners derive from it for one job. */
  speaksForServer(token: string, claim: AgentClaim): boolean;
  /** True for the token of one job. */
  speaksForJob(token: string, job: string): boolean;
  /** True when the token opens this one file, whose path can be guessed; `now` is Unix seconds. */
  opensPlain(token: string, key: string, now: number): boolean;
  /** Token B of a server, made with the current key. */
  serverToken(id: string): string;
  /** Determines since when the current key has been in use. Until then, earlier keys are not accepted. */
  load(): Promise<void>;
}

interface JoinToken {
  readonly kind: TokenKind;
  /** True when it was made with the current key. */
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
  /** The key has changed since `load`, that is, just now. */
  const isNew = (): boolean => loaded !== undefined && loaded !== deps.secretKey;
  /** Accepted keys, current one first. */
  const accepted = (): readonly string[] =>
    isGraceOver() && !isNew() ? [deps.secretKey] : [deps.secretKey, ...deps.previousSecretKeys];
  return {
    joinToken(token, given) {
      // Always tries all keys, so that timing reveals nothing.
      const kinds = accepted().map((key) => tokenKind(token, { ...given, secretKey: key }));
      const index = kinds.findIndex((kind) => kind !== undefined);
      const kind = kinds[index];
      return kind && { kind, isCurrent: index === 0 };
    },
    isOfServer: (token, id) =>
      accepted()
        .map((key) => isOfServer(token, id, key))
        .includes(true),
    speaksForServer: (token, claim) => isServerToken(token, claim, accepted()),
    speaksForJob: (token, job) => isJobToken(token, job, accepted()),
    opensPlain: (token, key, now) => opensPlain(token, key, { keys: accepted(), now }),
    serverToken: (id) => sha256Hex(id + deps.secretKey),
    async load() {
      const { secretKey, previousSecretKeys } = deps;
      // Without an earlier key there is no grace period.
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
