import type { AnyCollection, StoredRecord } from "../ports/storage/collection.ts";
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
