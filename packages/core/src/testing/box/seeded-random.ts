import type { Random } from "../../ports/random.ts";

/** Randomness that is the same in every run. For tests only: keys made with it are not secret. */
export function seededRandom(seed = 1): Random {
  let state = seed >>> 0;
  // mulberry32: 32 well mixed bits per step.
  const word = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  return {
    bytes: (size) => Uint8Array.from({ length: size }, () => word() & 0xff),
    fraction: () => word() / 2 ** 32,
  };
}
