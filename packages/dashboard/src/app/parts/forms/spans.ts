/** Seconds of each unit that people enter durations in. */
export const UNITS = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 } as const;
export type Unit = keyof typeof UNITS;

const LARGEST_FIRST = (Object.keys(UNITS) as Unit[]).toReversed();

/** The largest unit in which the value is a whole number; hours for an empty value. */
export const unitOf = (seconds: number | undefined): Unit =>
  seconds ? (LARGEST_FIRST.find((unit) => seconds % UNITS[unit] === 0) ?? "seconds") : "hours";
