interface Height {
  readonly low: number;
  readonly high: number;
  /** The axis ends no lower: a quiet machine must not look busy. */
  readonly atLeast?: number | undefined;
  readonly limit?: number | undefined;
  /** A narrow range far from zero may be cut out, which the labels show. */
  readonly isClose?: boolean | undefined;
}

/** From where to where the upright axis goes: from zero, unless the values lie close together and somebody asked for it. */
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
  /** The clock with the offset of the zone, for hours that come twice. */
  zoned(at: number): string;
}

/** Of the day on which clocks are put forward. */
const SHORTEST_DAY = 23 * 3600;

/** Labels of the time axis: as much of the time as tells neighbours apart, the day where it begins. */
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
