import { keyFingerprint } from "../../../directory/secrets/rules/fingerprint.ts";
import type { KeyedCradle } from "../../../kernel/container.ts";
import { sha256Hex } from "../../../lib/hash.ts";

/**
 * The keys that tokens of agents are made with (docs/contract/satellites.md#handshake,
 * docs/contract/satellites.md#bounds).
 */
export interface AgentKeys {
  /** Keys whose tokens count, the current one first; earlier ones for a while after they were replaced. */
  accepted(): readonly [string, ...string[]];
  /** Token B of a server, made with the current key. */
  serverToken(id: string): string;
  /** Finds out since when the current key is the current one; before that no earlier one counts. */
  load(): Promise<void>;
}

const STATE_KEY = "agents.secret_key";
const STATE_SINCE = "agents.secret_key_since";

type Deps = Pick<KeyedCradle, "clock" | "config" | "previousSecretKeys" | "secretKey" | "state" | "transact">;

export function createAgentKeys({ clock, config, previousSecretKeys, secretKey, state, transact }: Deps): AgentKeys {
  const current: readonly [string] = [secretKey];
  /** Unix seconds. */
  let since = 0;
  const isGraceOver = (): boolean => clock.now() >= since + config.satellite.secret_key_grace_hours * 3600;
  return {
    accepted: () => (isGraceOver() ? current : [secretKey, ...previousSecretKeys]),
    serverToken: (id) => sha256Hex(id + secretKey),
    async load() {
      // Without an earlier key there is nothing to end.
      if (previousSecretKeys.length === 0) return;
      const fingerprint = keyFingerprint(secretKey);
      since = await transact(async ({ tx }) => {
        const known = await state.read(tx, STATE_SINCE);
        if ((await state.read(tx, STATE_KEY)) === fingerprint && typeof known === "number") return known;
        const now = Math.floor(clock.now());
        await state.set(tx, STATE_KEY, fingerprint);
        await state.set(tx, STATE_SINCE, now);
        return now;
      });
    },
  };
}
