import type { Limits } from "../options.ts";

/**
 * Rate of one socket: its messages and bytes in the current second, and the seconds that it has been over the limit.
 */
export interface Rate {
  /** Counts a message; true when nothing more is to be read in this second. */
  count(bytes: number): boolean;
  /** A second has passed. */
  tick(): "calm" | "busy" | "hopeless";
}

type RateLimits = Pick<Limits, "maxMessagesPerSecond" | "maxBytesPerSecond" | "maxBusySeconds">;

export function createRate({ maxMessagesPerSecond, maxBytesPerSecond, maxBusySeconds }: RateLimits): Rate {
  let messages = 0;
  let bytes = 0;
  let busySeconds = 0;
  return {
    count(size) {
      messages += 1;
      bytes += size;
      return messages >= maxMessagesPerSecond || bytes >= maxBytesPerSecond;
    },
    tick() {
      // One large message is paid for in the seconds after it, and is nothing to be punished for.
      busySeconds = messages >= maxMessagesPerSecond ? busySeconds + 1 : 0;
      messages = 0;
      bytes = Math.max(0, bytes - maxBytesPerSecond);
      if (busySeconds >= maxBusySeconds) return "hopeless";
      return bytes >= maxBytesPerSecond ? "busy" : "calm";
    },
  };
}
