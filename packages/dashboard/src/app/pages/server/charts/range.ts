export const RANGES = { minute: 60, hour: 3600, day: 86_400, month: 30 * 86_400, year: 365 * 86_400 } as const;
export type RangeName = keyof typeof RANGES;

/** The range of time that a page's charts show. */
export interface Range {
  /** Undefined for a range that the viewer has zoomed to. */
  readonly name: RangeName | undefined;
  readonly from: number;
  readonly to: number;
}

/** Servers report once a minute, so a shorter range would be empty. */
const SHORTEST = 300;

/** The range in the address: `?from=…&to=…`, `?range=day`, or by default the last hour. */
export function rangeOf(query: Readonly<Record<string, string>>, now: number): Range {
  const [from, to] = [Number(query["from"]), Number(query["to"])];
  if (Number.isFinite(from) && Number.isFinite(to) && from > 0 && to > from) {
    const middle = (from + to) / 2;
    const half = Math.max(to - from, SHORTEST) / 2;
    return { name: undefined, from: Math.floor(middle - half), to: Math.ceil(middle + half) };
  }
  const asked = query["range"] ?? "";
  const name = Object.hasOwn(RANGES, asked) ? (asked as RangeName) : "hour";
  const end = name === "minute" ? now : Math.ceil(now / 60) * 60;
  return { name, from: end - RANGES[name], to: end };
}
