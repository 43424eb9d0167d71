const UNITS: readonly (readonly [string, number])[] = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];

const counted = (amount: number, unit: string): string => `${amount} ${unit}${amount === 1 ? "" : "s"}`;

/**
 * "1 hour, 1 minute": the largest unit, and the next smaller one unless it is zero
 * (docs/contract/expressions.md#texts-of-numbers).
 */
export function readableDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const index = Math.max(
    0,
    UNITS.findIndex(([, size]) => whole >= size),
  );
  const [unit, size] = whole === 0 ? (["second", 1] as const) : (UNITS[index] ?? ["second", 1]);
  const text = counted(Math.floor(whole / size), unit);
  const next = UNITS[index + 1];
  const rest = next && whole > 0 ? Math.floor((whole % size) / next[1]) : 0;
  return next && rest > 0 ? `${text}, ${counted(rest, next[0])}` : text;
}

const SIZES: Readonly<Record<string, number>> = { b: 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30, t: 2 ** 40 };

/** Whether the whole text is a valid size: "1 MB", "1.5k", "512". */
export const isSizeText = (text: string): boolean => /^\s*\d+(?:\.\d+)?\s*(?:b|bytes?|[kmgt][a-z]*)?\s*$/i.test(text);

/**
 * Reads "1 MB" or a number of bytes (docs/contract/records.md#times-durations-and-sizes); an unknown unit counts as 0.
 */
export function parseSize(size: string | number): number {
  if (typeof size === "number") return size;
  const match = /^\s*(\d+(?:\.\d+)?)\s*([a-z]?)/i.exec(size);
  if (!match) return 0;
  const unit = (match[2] ?? "").toLowerCase();
  return Math.floor(Number(match[1]) * (unit === "" ? 1 : (SIZES[unit] ?? 0)));
}
