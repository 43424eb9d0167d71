import type { AnyCollection, CollectionDefinition, StoredRecord } from "../ports/storage/collection.ts";
import { above, allOf, anyOf, atLeast, atMost, below, equal, everything, type SearchNode } from "./ast.ts";
import { columnValues } from "./index-values.ts";

interface Order {
  /** A declared column, or `id`. */
  readonly sortBy: string;
  readonly descending: boolean;
}

/**
 * The parts of an order, to be read one after the other: null comes last when descending. A condition for both parts uses no
 * index in SQLite, which then sorts all records for each page.
 */
export const partsOf = ({ sortBy, descending }: Order): readonly SearchNode[] => {
  const isNull = equal(sortBy, null);
  return descending && sortBy !== "id" ? [{ kind: "not", node: isNull }, isNull] : [everything];
};

/** Condition for the records that follow another one in its part of an order, ties by id in the same direction. */
export function beyond(definition: AnyCollection, { sortBy, descending }: Order, last: StoredRecord): SearchNode {
  const [further, notBefore] = descending ? [below, atMost] : [above, atLeast];
  const hasLaterId = further("id", last.id);
  if (sortBy === "id") return hasLaterId;
  const value = columnValues(definition, last)[sortBy] ?? null;
  if (value !== null) return allOf([notBefore(sortBy, value), anyOf([further(sortBy, value), hasLaterId])]);
  const isNull = equal(sortBy, null);
  const same = allOf([isNull, hasLaterId]);
  return descending ? same : anyOf([same, { kind: "not", node: isNull }]);
}

export interface Walk<T extends StoredRecord> {
  readonly collection: CollectionDefinition<T>;
  readonly where: SearchNode;
  readonly order: Order;
  /** Most records of all pages together. Default: all. */
  readonly most?: number | undefined;
  /** Most records of the next page; asked before each. */
  readonly limit: () => number;
}

/** The order and size of a page, as `find` takes them. */
export interface WalkPage extends Order {
  readonly limit: number;
}

/**
 * Reads all matches of a condition in an order, page by page. Each page begins after the last record of the page before, so
 * records that others add or remove meanwhile shift nothing. `read` reads a page, usually in a snapshot of its own; yields what
 * it resolves to.
 */
export async function* walk<T extends StoredRecord, Found extends { readonly rows: readonly T[] }>(
  { collection, where, order, most = Number.POSITIVE_INFINITY, limit }: Walk<T>,
  read: (where: SearchNode, page: WalkPage) => Promise<Found>,
): AsyncGenerator<Found> {
  let left = most;
  for (const part of partsOf(order)) {
    const whole = allOf([where, part]);
    for (let node = whole; left > 0; ) {
      const page = { ...order, limit: Math.min(limit(), left) };
      const found = await read(node, page);
      yield found;
      const last = found.rows.at(-1);
      left -= found.rows.length;
      if (!last || found.rows.length < page.limit) break;
      node = allOf([whole, beyond(collection, order, last)]);
    }
  }
}
