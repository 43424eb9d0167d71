/** Rows as they are shown while a hand is on them: none moves, comes or goes. */
export interface CalmRows<Row> {
  readonly rows: readonly Row[];
  /** Rows that are not in the list any more. */
  readonly gone: ReadonlySet<string>;
  /** Rows that wait to be shown. */
  readonly fresh: number;
}

/** The rows that were shown, in their order and as they are by now. */
export function calmRows<Row>(
  shown: readonly Row[],
  given: readonly Row[],
  keyOf: (row: Row) => string,
): CalmRows<Row> {
  if (shown === given) return { rows: given, gone: new Set(), fresh: 0 };
  const newest = new Map(given.map((row) => [keyOf(row), row]));
  const keys = shown.map(keyOf);
  const gone = new Set(keys.filter((key) => !newest.has(key)));
  return {
    rows: shown.map((row, at) => newest.get(keys[at] ?? "") ?? row),
    gone,
    fresh: newest.size - (keys.length - gone.size),
  };
}
