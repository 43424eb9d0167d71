interface Part {
  readonly times: readonly number[];
  readonly values: readonly (number | null)[];
}

type Values = (number | null)[];

interface Spread {
  readonly times: readonly number[];
  readonly average: Values;
  readonly low: Values;
  readonly high: Values;
}

/** Average, lowest and highest value over many servers, per step in seconds. A step without values is null. */
export function spreadOf(parts: readonly Part[], step: number): Spread {
  const found = new Map<number, { sum: number; count: number; low: number; high: number }>();
  for (const { times, values } of parts)
    times.forEach((time, index) => {
      const at = Math.floor(time / step) * step;
      const known = found.get(at) ?? {
        sum: 0,
        count: 0,
        low: Number.POSITIVE_INFINITY,
        high: Number.NEGATIVE_INFINITY,
      };
      const value = values[index];
      if (typeof value === "number") {
        known.sum += value;
        known.count += 1;
        known.low = Math.min(known.low, value);
        known.high = Math.max(known.high, value);
      }
      found.set(at, known);
    });
  const times = [...found.keys()].sort((left, right) => left - right);
  const each = (read: (known: { sum: number; count: number; low: number; high: number }) => number): Values =>
    times.map((at) => {
      const known = found.get(at);
      return known && known.count > 0 ? read(known) : null;
    });
  return {
    times,
    average: each(({ sum, count }) => sum / count),
    low: each(({ low }) => low),
    high: each(({ high }) => high),
  };
}
