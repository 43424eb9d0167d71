/** Rows as they are shown while the list is held: none moves, comes or goes. */
export interface CalmRows<Row> {
  readonly rows: readonly Row[];
  /** Keys of rows that have left the list. */
  readonly gone: ReadonlySet<string>;
  /** Number of rows that wait to be shown. */
  readonly fresh: number;
}

/**
 * The rows that were shown, in their old order with their current content, then the rows after the last of them: appending, such
 * as when the viewer asks for more, moves nothing.
 */
export function calmRows<Row>(
  shown: readonly Row[],
  given: readonly Row[],
  keyOf: (row: Row) => string,
): CalmRows<Row> {
  if (shown === given) return { rows: given, gone: new Set(), fresh: 0 };
  const newest = new Map(given.map((row) => [keyOf(row), row]));
  const keys = shown.map(keyOf);
  const gone = new Set(keys.filter((key) => !newest.has(key)));
  const last = keys.findLast((key) => newest.has(key));
  const known = new Set(keys);
  const behind = given
    .slice(last === undefined ? given.length : given.findIndex((row) => keyOf(row) === last) + 1)
    .filter((row) => !known.has(keyOf(row)));
  return {
    rows: [...shown.map((row, at) => newest.get(keys[at] ?? "") ?? row), ...behind],
    gone,
    fresh: newest.size - (keys.length - gone.size) - behind.length,
  };
}
