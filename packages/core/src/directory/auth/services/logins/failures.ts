import type { Clock } from "../../../../ports/clock.ts";
import { type DelayBounds, delaySec } from "../../rules/delay.ts";

/** Counts failures under keys of any kind and delays a key that fails too often. Forgets a key after an hour without failures. */
export interface FailureDelays {
  /** True while attempts under the key are delayed. */
  isDelayed(key: string): boolean;
  /** Counts an attempt as a failure before it is judged, so that simultaneous attempts count too. */
  count(key: string): void;
  /** Takes back one counted failure. */
  giveBack(key: string): void;
  /** Forgets all failures under the key. */
  forget(key: string): void;
  /** Forgets all failures under keys with this prefix. */
  forgetAll(prefix: string): void;
}

interface Entry {
  failures: number;
  /** End of the delay, in milliseconds of the monotonic clock. */
  untilMs: number;
  lastMs: number;
}

const QUIET_MS = 3_600_000;
const KEYS = 10_000;

/** `bounds` is called for each failure, because the configuration may change. */
export function createFailureDelays({ clock, bounds }: { clock: Clock; bounds: () => DelayBounds }): FailureDelays {
  /** Entries in the order of their latest failures. */
  const entries = new Map<string, Entry>();
  const live = (key: string): Entry | undefined => {
    const entry = entries.get(key);
    return entry && clock.monotonicMs() - entry.lastMs < QUIET_MS ? entry : undefined;
  };
  return {
    isDelayed: (key) => (live(key)?.untilMs ?? 0) > clock.monotonicMs(),
    count(key) {
      const now = clock.monotonicMs();
      const failures = (live(key)?.failures ?? 0) + 1;
      entries.delete(key);
      if (entries.size >= KEYS) entries.delete(entries.keys().next().value ?? "");
      entries.set(key, { failures, untilMs: now + delaySec(failures, bounds()) * 1000, lastMs: now });
    },
    giveBack(key) {
      const entry = entries.get(key);
      if (!entry) return;
      entry.failures -= 1;
      if (entry.failures <= 0) entries.delete(key);
      else if (delaySec(entry.failures, bounds()) === 0) entry.untilMs = 0;
    },
    forget: (key) => void entries.delete(key),
    forgetAll(prefix) {
      for (const key of entries.keys()) if (key.startsWith(prefix)) entries.delete(key);
    },
  };
}
