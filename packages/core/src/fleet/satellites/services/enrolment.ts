import type { Cradle } from "../../../kernel/container.ts";
import { sha256Hex } from "../../../lib/hash.ts";
import type { Initial } from "../rules/initial.ts";

/**
 * Tokens that let new agents fetch their package and configuration (docs/contract/satellites.md#installation). In
 * memory: a restart ends them.
 */
export interface Enrolment {
  /** 64 hex digits, good for any number of agents until they expire. */
  create(initial: Initial, expiresSec: number): string;
  /** What new servers of this token are given; undefined for an unknown or expired one. */
  find(token: string): Initial | undefined;
  /** Adds members to a token that is there. */
  extend(token: string, members: Initial): void;
}

/** Beyond that the oldest ones end early. */
const MAX_TOKENS = 1000;

export function createEnrolment({ clock, ids }: Pick<Cradle, "clock" | "ids">): Enrolment {
  const tokens = new Map<string, { initial: Initial; readonly until: number }>();
  // Kept as hashes, so looking one up takes no time that tells of it, and a dump of the memory gives nothing away.
  const alive = (token: string) => {
    const entry = tokens.get(sha256Hex(token));
    return entry && entry.until > clock.now() ? entry : undefined;
  };
  function makeRoom(): void {
    const now = clock.now();
    for (const [hash, { until }] of tokens) if (until <= now) tokens.delete(hash);
    const [oldest] = tokens.keys();
    if (tokens.size >= MAX_TOKENS && oldest !== undefined) tokens.delete(oldest);
  }
  return {
    create(initial, expiresSec) {
      makeRoom();
      const token = ids.hex();
      tokens.set(sha256Hex(token), { initial, until: clock.now() + expiresSec });
      return token;
    },
    find: (token) => alive(token)?.initial,
    extend(token, members) {
      const entry = alive(token);
      if (entry) entry.initial = { ...entry.initial, ...members };
    },
  };
}
