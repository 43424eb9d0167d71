import type { Cradle } from "../../../../kernel/container.ts";
import type { Connection } from "../connections/connection.ts";

/** Decides whether a join is accepted, and throttles guessing (docs/contract/satellites.md#handshake). */
export interface Authenticator {
  verdict(connection: Connection, token: unknown): Verdict;
}

/** "renew" = accepted, but by a key that soon expires. */
export type Verdict = "accepted" | "renew" | "wrong" | "later";

const FAILURES_PER_MINUTE = 5;
const MINUTE_MS = 60_000;
const ADDRESSES = 10_000;

type Deps = Pick<Cradle, "agentKeys" | "clock" | "config">;

export function createAuthenticator({ agentKeys, clock, config }: Deps): Authenticator {
  const failures = createFailures(clock);
  const judge = ({ nonce, id, isNew }: Connection, token: unknown): Verdict => {
    const found = agentKeys.joinToken(token, { nonce, id });
    if (!found) return "wrong";
    // Earlier keys are only accepted from agents that already have an id.
    const mayEnrol = found.isCurrent && config.satellite.allow_secret_key_join;
    if (found.kind === "cluster" && isNew && !mayEnrol) return "wrong";
    return found.isCurrent ? "accepted" : "renew";
  };
  return {
    verdict(connection, token) {
      const { link } = connection;
      if (link.trusted) return "accepted";
      if (failures.of(link.ip) >= FAILURES_PER_MINUTE) return "later";
      const verdict = judge(connection, token);
      if (verdict === "wrong") failures.add(link.ip);
      return verdict;
    },
  };
}

/** Counts failures per address, in minutes that start with the first failure. */
function createFailures(clock: Cradle["clock"]) {
  const known = new Map<string, { readonly startedMs: number; count: number }>();
  const current = (ip: string) => {
    const entry = known.get(ip);
    return entry && clock.monotonicMs() - entry.startedMs < MINUTE_MS ? entry : undefined;
  };
  return {
    of: (ip: string): number => current(ip)?.count ?? 0,
    add(ip: string): void {
      const entry = current(ip);
      if (entry) entry.count += 1;
      else {
        known.delete(ip);
        known.set(ip, { startedMs: clock.monotonicMs(), count: 1 });
      }
      // Evicts the oldest entry, so that a caller with many addresses cannot evict those of the current minute.
      const [oldest] = known.keys();
      if (known.size > ADDRESSES && oldest !== undefined) known.delete(oldest);
    },
  };
}
