/** A sample: the values of one second, by quick monitor, with its `date`. */
export type Sample = Readonly<Record<string, number>>;

/**
 * Readings per second. Counters are converted to their growth per second; null if the counter restarted or there is no
 * earlier value.
 */
export function secondsOf(samples: readonly Sample[], id: string, isCounter: boolean): (number | null)[] {
  return samples.map((sample, at) => {
    const value = sample[id];
    if (!isCounter || value === undefined) return value ?? null;
    const before = samples[at - 1];
    const passed = (sample["date"] ?? 0) - (before?.["date"] ?? 0);
    const added = value - (before?.[id] ?? Number.NaN);
    return passed > 0 && added >= 0 ? added / passed : null;
  });
}
