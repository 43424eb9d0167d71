import { type NewStamp, newStamps } from "../../wire/fields/stamps.ts";
import type { Category, CreateCategory } from "./model.ts";

/** A new category: everything but the title has a default (docs/contract/categories.md#record). */
export function newCategory(
  input: CreateCategory,
  { id, username, now, sortOrder }: NewStamp & { readonly sortOrder: number },
): Category {
  return {
    ...input,
    id,
    enabled: input.enabled ?? true,
    color: input.color ?? "plain",
    icon: input.icon ?? "",
    notes: input.notes ?? "",
    actions: input.actions ?? [],
    limits: input.limits ?? [],
    sort_order: sortOrder,
    ...newStamps(username, now),
  };
}

/** The largest existing order + 1; 0 for the first record (docs/contract/records.md#order-of-lists). */
export function nextSortOrder(records: readonly { readonly sort_order?: unknown }[]): number {
  let next = 0;
  for (const { sort_order: order } of records)
    if (typeof order === "number" && Number.isFinite(order)) next = Math.max(next, order + 1);
  return next;
}

/** Key of the lock that serialises writers of references to a category. */
export const categoryLock = (id: string): string => `category:${id}`;

/** The only category of a new installation. */
export const DEFAULT_CATEGORY: CreateCategory = { title: "General", enabled: true, color: "plain" };
