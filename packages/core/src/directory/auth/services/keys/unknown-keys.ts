import { RateError } from "../../../../kernel/errors/errors.ts";
import { callerNetwork } from "../../../../lib/network/network.ts";
import type { Clock } from "../../../../ports/clock.ts";

/**
 * Counts an unknown key from an address; throws `RateError` when there are too many. Known keys of the same address are not
 * affected. Calls inside the process have no address and are not counted.
 */
export type CountUnknownKey = (ip: string) => void;

/** Unknown keys that an address may send at once; each second allows one more. */
const BURST = 60;
const NETWORKS = 10_000;

export function createUnknownKeyCount(clock: Clock): CountUnknownKey {
  /** Times at which the last counted key of a network is forgotten, in milliseconds of the monotonic clock. */
  const fullUntil = new Map<string, number>();
  return (ip) => {
    if (ip === "") return;
    const network = callerNetwork(ip);
    const now = clock.monotonicMs();
    const until = Math.max(fullUntil.get(network) ?? 0, now) + 1000;
    if (until > now + BURST * 1000) throw new RateError("Too many unknown API keys.  Please try again later.");
    fullUntil.delete(network);
    if (fullUntil.size >= NETWORKS) fullUntil.delete(fullUntil.keys().next().value ?? "");
    fullUntil.set(network, until);
  };
}
