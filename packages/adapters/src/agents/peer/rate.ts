import type { Limits } from "../options.ts";

/** Rate of one socket: messages and bytes in the current second, and consecutive seconds over the bound. */
export interface Rate {
  /** Counts a message; true when nothing more may be read in this second. */
  count(bytes: number): boolean;
  /** Call it once a second. */
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
      // One large message delays the seconds after it, but is not penalised otherwise.
      busySeconds = messages >= maxMessagesPerSecond ? busySeconds + 1 : 0;
      messages = 0;
      bytes = Math.max(0, bytes - maxBytesPerSecond);
      if (busySeconds >= maxBusySeconds) return "hopeless";
      return bytes >= maxBytesPerSecond ? "busy" : "calm";
    },
  };
}
