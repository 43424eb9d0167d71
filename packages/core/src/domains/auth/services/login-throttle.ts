import { DomainError } from "../../../kernel/errors.ts";
import type { Clock } from "../../../ports/clock.ts";
import { callerNetwork } from "../rules/network.ts";

/**
 * Holds back addresses that fail too often (part 11 §4.5), before any password is compared and without touching an
 * account.
 */
export interface LoginThrottle {
  /**
   * Takes one of the attempts of an address and gives the function that returns it, for when the attempt was good.
   * Taken first, so that attempts at the same moment count too. Throws `DomainError` when there is none left. Calls
   * inside the process have no address and are not counted.
   */
  take(ip: string): () => void;
}

const ATTEMPTS = 30;
const WINDOW_MS = 600_000;
/** Whoever commands more networks than this is not held back by counts of addresses; the lock of the account is left. */
const NETWORKS = 10_000;

export function createLoginThrottle({ clock }: { clock: Clock }): LoginThrottle {
  /** Times of attempts by network; the map is in the order of the latest ones. */
  const networks = new Map<string, number[]>();
  return {
    take(ip) {
      if (ip === "") return () => undefined;
      const network = callerNetwork(ip);
      const now = clock.monotonicMs();
      const times = (networks.get(network) ?? []).filter((time) => now - time < WINDOW_MS);
      if (times.length >= ATTEMPTS)
        throw new DomainError("login", "conflict", "Too many failed attempts.  Please try again later.");
      times.push(now);
      networks.delete(network);
      if (networks.size >= NETWORKS) networks.delete(networks.keys().next().value ?? "");
      networks.set(network, times);
      return () => giveBack(networks, network, now);
    },
  };
}

function giveBack(networks: Map<string, number[]>, network: string, time: number): void {
  const times = networks.get(network);
  const index = times?.indexOf(time) ?? -1;
  if (!times || index === -1) return;
  times.splice(index, 1);
  if (times.length === 0) networks.delete(network);
}
