import type { AnyCollection, StoredRecord } from "../ports/storage/collection.ts";
import { allOf, anyOf, equal, type SearchNode } from "./ast.ts";
import { columnValues } from "./index-values.ts";

interface Order {
  /** A declared column, or `id`. */
  readonly sortBy: string;
  readonly descending: boolean;
}

/**
 * Condition for the records that follow another one in an order: null first when ascending and last when descending, ties by id
 * in the same direction.
 */
export function beyond(definition: AnyCollection, { sortBy, descending }: Order, last: StoredRecord): SearchNode {
  const operator = descending ? "lt" : "gt";
  const afterId: SearchNode = { kind: "compare", field: "id", operator, value: last.id };
  if (sortBy === "id") return afterId;
  const value = columnValues(definition, last)[sortBy] ?? null;
  const same = allOf([equal(sortBy, value), afterId]);
  const isNull = equal(sortBy, null);
  if (value === null) return descending ? same : anyOf([same, { kind: "not", node: isNull }]);
  const further: SearchNode = { kind: "compare", field: sortBy, operator, value };
  return anyOf(descending ? [further, same, isNull] : [further, same]);
}
