import { type Counts, changedCounts } from "./stats.ts";

/**
 * Ids of rows of counters: `<day>/<section>`, or `<day>:0001/<section>` once the day has been cut. A colon sorts after a slash,
 * so that the ids of periods are in chronological order.
 */
export const inPeriod = (row: string, period: number): string =>
  period === 0 ? row : row.replace("/", `:${String(period).padStart(4, "0")}/`);

/** The row that stores how often a day was cut. */
export const cutsId = (day: string): string => `${day}#cuts`;

/** The local day of a row. */
export const dayOfRow = (id: string): string => id.slice(0, 10);

/** Sums that are not listed among the transactions. */
export const TRAFFIC: readonly string[] = ["requests", "bytes_in", "bytes_out"];

/** Rows of a period as one object, by section (docs/contract/administration.md#counters). */
export function treeOf(rows: Iterable<readonly [string, Counts]>): Record<string, unknown> {
  const sections = new Map<string, Map<string, Counts>>();
  let sums: Counts = {};
  for (const [section, counts] of rows) {
    const slash = section.indexOf("/");
    if (section === "") sums = changedCounts(sums, counts);
    if (slash < 1) continue;
    const [name, id] = [section.slice(0, slash), section.slice(slash + 1)];
    const ids = sections.get(name) ?? new Map<string, Counts>();
    sections.set(name, ids.set(id, changedCounts(ids.get(id) ?? {}, counts)));
  }
  const entries = Object.entries(sums);
  return {
    transactions: Object.fromEntries(entries.filter(([name]) => !TRAFFIC.includes(name))),
    ...Object.fromEntries([...sections].map(([name, ids]) => [name, Object.fromEntries(ids)])),
    ...Object.fromEntries(entries.filter(([name]) => TRAFFIC.includes(name))),
  };
}
