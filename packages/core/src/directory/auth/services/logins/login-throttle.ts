import type { Config } from "../../../../kernel/config/config.ts";
import { DomainError } from "../../../../kernel/errors/errors.ts";
import { callerNetwork } from "../../../../lib/network/network.ts";
import { sha256Hex } from "../../../../lib/secrecy/hash.ts";
import type { Clock } from "../../../../ports/clock.ts";
import { createFailureDelays } from "./failures.ts";
import type { Sessions } from "./sessions.ts";

/**
 * Throttles callers that fail too often, without changing an account (docs/contract/credentials.md#login): refuses addresses, and
 * delays guesses of one account for longer and longer. It makes no difference whether the account exists.
 */
export interface LoginThrottle {
  /**
   * Takes one of the attempts of an address and returns a function that gives it back, for use after a good attempt. Attempts are
   * taken first, so that simultaneous ones count too. Throws `DomainError` when none is left. Calls inside the process have no
   * address and are not counted.
   */
  take(ip: string): () => void;
  /** Takes an attempt of an address at the password of an account; `account` is its key, whether it exists or not. */
  attempt(account: string, ip: string): Promise<Attempt>;
  /** Ends all delays of an account on this node, because it was unlocked or has a new password. */
  forgiveAccount(account: string): void;
}

export interface Attempt {
  /** True when the attempt comes too early: refuse it like a wrong password, even if the password is right. */
  readonly delayed: boolean;
  /** Waits for the check of the password; does not count the attempt when the check fails to run. */
  judge<T>(check: Promise<T>): Promise<T>;
  /** Marks the attempt as good: takes back its count and forgives earlier failures of the address. */
  forgive(): void;
}

const ATTEMPTS = 30;
const WINDOW_MS = 600_000;
/**
 * Number of networks that are counted. A caller with more of them evades the counts of addresses, but not the delays of the
 * account.
 */
const NETWORKS = 10_000;
const MAX_DELAY_SEC = 900;
/** Failures of an account within an hour, from all addresses, before addresses without a session of the account are delayed. */
const ACCOUNT_FAILURES = 100;
const MAX_ACCOUNT_DELAY_SEC = 60;

interface Deps {
  readonly clock: Clock;
  readonly config: Config;
  readonly sessions: Pick<Sessions, "isKnownNetwork">;
}

export function createLoginThrottle({ clock, config, sessions }: Deps): LoginThrottle {
  const addresses = createAddressCount(clock);
  const pairs = createFailureDelays({
    clock,
    bounds: () => ({ free: config.User.max_failed_logins_per_hour, maxSec: MAX_DELAY_SEC }),
  });
  const bounds = { free: ACCOUNT_FAILURES, maxSec: MAX_ACCOUNT_DELAY_SEC };
  const accounts = createFailureDelays({ clock, bounds: () => bounds });
  return {
    take: addresses.take,
    forgiveAccount(account) {
      const key = sha256Hex(account);
      accounts.forget(key);
      pairs.forgetAll(`${key} `);
    },
    async attempt(account, ip) {
      const giveBackAddress = addresses.take(ip);
      if (ip === "") return { delayed: false, judge: (check) => check, forgive: () => undefined };
      const network = callerNetwork(ip);
      // Hashed, because strangers send names of any length.
      const key = sha256Hex(account);
      const pair = `${key} ${network}`;
      const delayed =
        pairs.isDelayed(pair) || (accounts.isDelayed(key) && !(await sessions.isKnownNetwork(account, network)));
      if (!delayed) {
        pairs.count(pair);
        accounts.count(key);
      }
      const giveBack = (forgiven: boolean): void => {
        giveBackAddress();
        if (delayed) return;
        accounts.giveBack(key);
        if (forgiven) pairs.forget(pair);
        else pairs.giveBack(pair);
      };
      return { delayed, judge: (check) => judged(check, () => giveBack(false)), forgive: () => giveBack(true) };
    },
  };
}

/** Gives back an attempt that could not be judged because too many checks wait: it is no failure. */
async function judged<T>(check: Promise<T>, giveBack: () => void): Promise<T> {
  try {
    return await check;
  } catch (error) {
    giveBack();
    throw error;
  }
}

function createAddressCount(clock: Clock): Pick<LoginThrottle, "take"> {
  /** Times of attempts by network; the map is ordered by the latest attempt. */
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
