interface Height {
  readonly low: number;
  readonly high: number;
  /** Least upper end of the axis, so that a quiet machine does not look busy. */
  readonly atLeast?: number | undefined;
  readonly limit?: number | undefined;
  /** The axis need not begin at zero for a narrow range far from it; the labels show that. */
  readonly isClose?: boolean | undefined;
}

/** Lower and upper end of the vertical axis. It begins at zero, unless `isClose` is set and the values lie close together. */
export function heightOf({ low, high, atLeast = 0, limit, isClose = false }: Height): [number, number] {
  const top = Math.max(high, limit ?? high);
  const bottom = Math.min(low, limit ?? low);
  if (isClose && bottom > 0 && bottom > top * 0.7) {
    const rim = Math.max((top - bottom) * 0.25, top * 0.005);
    return [bottom - rim, top + rim];
  }
  return [Math.min(0, bottom * 1.1), Math.max(top * 1.1, atLeast, 1e-9)];
}

interface Words {
  clock(at: number): string;
  seconds(at: number): string;
  day(at: number): string;
  month(at: number): string;
  /** The time with the zone's offset, for hours that occur twice. */
  zoned(at: number): string;
}

/** Seconds of the day on which clocks go forward. */
const SHORTEST_DAY = 23 * 3600;

/** Labels of the time axis: as much of the time as tells neighbours apart, and the day where it begins. */
export function timeLabels(at: readonly number[], words: Words): string[] {
  const step = at.length > 1 ? (at[1] as number) - (at[0] as number) : 60;
  if (step >= 27 * SHORTEST_DAY) return at.map(words.month);
  if (step >= SHORTEST_DAY) return at.map(words.day);
  const plain = at.map(step < 60 ? words.seconds : words.clock);
  return plain.map((text, index) => {
    const time = at[index] as number;
    const isTwice = plain.some((other, place) => other === text && Math.abs((at[place] as number) - time) === 3600);
    if (isTwice) return words.zoned(time);
    const isNewDay = index > 0 && words.day(time) !== words.day(at[index - 1] as number);
    return isNewDay && text.startsWith("00:00") ? words.day(time) : text;
  });
}
