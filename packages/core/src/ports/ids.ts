import type { Clock } from "./clock.ts";
import type { Random } from "./random.ts";

/** Makes identifiers and tokens (docs/contract/records.md#ids-and-tokens). */
export interface IdGenerator {
  /** `prefix` + base-36 milliseconds + base-36 counter + random filler: 16 characters, sorted by creation. */
  short(prefix: string): string;
  /** 32 random bytes as 64 lower-case hex digits. */
  hex(): string;
  /** 32 random bytes as 43 characters of URL-safe Base64. */
  token(): string;
  /** `length` uniform characters of `[A-Za-z0-9]`. */
  alphanumeric(length: number): string;
}

const LOWER = "0123456789abcdefghijklmnopqrstuvwxyz";
const MIXED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const COUNTER_LIMIT = 1296;
const ID_LENGTH = 16;

/** Makes ids that are unique among all engines and increase over time. */
export function createIds({ clock, random }: { clock: Clock; random: Random }): IdGenerator {
  let counter = Math.floor(random.fraction() * COUNTER_LIMIT);
  let last = 0;
  return {
    short(prefix) {
      counter += 1;
      // A counter that overflows within a millisecond continues in the next one.
      if (counter === COUNTER_LIMIT) {
        counter = 0;
        last += 1;
      }
      // The time in ids never goes back, even when the clock does: ids give the order of insertion.
      last = Math.max(last, Math.floor(clock.now() * 1000));
      const body = prefix + last.toString(36) + counter.toString(36).padStart(2, "0");
      return body + pick(LOWER, Math.max(0, ID_LENGTH - body.length), random);
    },
    hex: () => Buffer.from(random.bytes(32)).toString("hex"),
    token: () => Buffer.from(random.bytes(32)).toString("base64url"),
    alphanumeric: (length) => pick(MIXED, length, random),
  };
}

/** Rejection sampling: a plain modulo would favour the first letters. */
function pick(alphabet: string, length: number, random: Random): string {
  const limit = 256 - (256 % alphabet.length);
  let out = "";
  while (out.length < length)
    for (const byte of random.bytes(length - out.length)) if (byte < limit) out += alphabet[byte % alphabet.length];
  return out;
}
