import type { Cradle } from "../../../kernel/container.ts";
import { InputError, RateError } from "../../../kernel/errors/errors.ts";
import { callerNetwork } from "../../../lib/network/network.ts";
import { equalSecrets, sha256Hex } from "../../../lib/secrecy/hash.ts";
import type { Event, Trigger } from "../../events/model.ts";

/** The event and trigger that a magic path leads to. */
export interface MagicLink {
  readonly event: Event;
  readonly trigger: Trigger;
  /** Index in the event's list. */
  readonly index: number;
}

/** Lets callers run events if they know the key of one of their magic triggers (docs/contract/events.md#magic-links). */
export interface MagicLinks {
  /** Throws `InputError` for an unknown key, and `RateError` for an address that has tried too many unknown keys. */
  find(key: string, ip: string): MagicLink;
}

const ATTEMPTS = 10;
const WINDOW_MS = 60_000;
/** Most addresses whose failures are remembered; the oldest are evicted. */
const ADDRESSES = 10_000;

/** Splits a path, `<key>` or `<key>/wait`. Throws `InputError` for anything else. */
export function readMagicPath(suffix: string): { readonly key: string; readonly isWaiting: boolean } {
  const [, key = "", wait] = /^([\w-]+)(\/wait)?\/?$/.exec(suffix) ?? [];
  if (key === "") throw new InputError("Malformed URL.");
  return { key, isWaiting: wait !== undefined };
}

export function createMagicLinks({ clock, eventRecords }: Pick<Cradle, "clock" | "eventRecords">): MagicLinks {
  /** Times of failures by network, ordered by the latest failure. */
  const failures = new Map<string, number[]>();
  const recent = (network: string): number[] =>
    (failures.get(network) ?? []).filter((time) => clock.monotonicMs() - time < WINDOW_MS);

  function noteFailure(network: string): void {
    const times = [...recent(network), clock.monotonicMs()];
    failures.delete(network);
    if (failures.size >= ADDRESSES) failures.delete(failures.keys().next().value ?? "");
    failures.set(network, times);
  }

  return {
    find(key, ip) {
      const network = callerNetwork(ip);
      // Calls inside the process have no address and are not counted.
      if (network !== "" && recent(network).length >= ATTEMPTS)
        throw new RateError("Too many failed attempts.  Please try again later.");
      const link = findLink(key, eventRecords.all());
      if (link) return link;
      if (network !== "") noteFailure(network);
      throw new InputError("Authentication failed.");
    },
  };
}

/** Compares the key with all links, so that the response time does not reveal which one nearly matched. */
function findLink(key: string, events: readonly Event[]): MagicLink | undefined {
  let found: MagicLink | undefined;
  for (const event of events)
    for (const [index, trigger] of event.triggers.entries()) {
      const { enabled, token, type } = trigger;
      if (type !== "magic" || !enabled || typeof token !== "string") continue;
      if (equalSecrets(sha256Hex(key + event.id), token)) found ??= { event, trigger, index };
    }
  return found;
}
