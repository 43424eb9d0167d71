import { nextSortOrder } from "../../../../directory/categories/rules.ts";
import type { Route } from "../../model.ts";
import { DEFAULT_ROUTES } from "../records/defaults.ts";
import { byOrder } from "./match.ts";

export interface Place {
  readonly sort_order: number;
  /** New sort orders, by id, of routes that make room. */
  readonly moved: ReadonlyMap<string, number>;
}

/** Position of a new route: the last one, but before the seeded routes, which match everything that reaches them. */
export function newPlace(routes: readonly Route[]): Place {
  const sorted = routes.toSorted(byOrder);
  const own = sorted.findLastIndex(({ id }) => !DEFAULT_ROUTES.has(id)) + 1;
  const behind = sorted.slice(own);
  const sort_order = nextSortOrder(sorted.slice(0, own));
  const isRoom = behind[0] === undefined || behind[0].sort_order > sort_order;
  const moved = behind.map(({ id }, at) => [id, sort_order + 1 + at] as const);
  return { sort_order, moved: new Map(isRoom ? [] : moved) };
}
