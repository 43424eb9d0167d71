export const MONITORS = 30;
export const monitors = Array.from({ length: MONITORS }, (_unused, place) => `monitor_${place}`);

/** Random numbers that are the same in every run. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b_79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A random walk with two decimals, a rising counter, or a whole number that rarely changes. */
const KINDS: readonly { readonly from: number; readonly next: (value: number, random: () => number) => number }[] = [
  { from: 100, next: (value, random) => Math.round((value + random() - 0.5) * 100) / 100 },
  { from: 1e9, next: (value, random) => value + Math.floor(random() * 5000) },
  { from: 500, next: (value, random) => (random() < 0.02 ? Math.floor(random() * 500) : value) },
];

/** The readings of one server, a third of each kind. */
export function createHost(seed: number): () => Record<string, number> {
  const random = createRandom(seed);
  const readings = monitors.map((id, place) => {
    const { from, next } = KINDS[place % KINDS.length] ?? { from: 0, next: () => 0 };
    return { id, next, value: Math.floor(random() * from) };
  });
  return () => {
    const values: Record<string, number> = {};
    for (const reading of readings) {
      reading.value = reading.next(reading.value, random);
      values[reading.id] = reading.value;
    }
    return values;
  };
}
