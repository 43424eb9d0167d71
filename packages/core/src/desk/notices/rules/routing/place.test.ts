import { expect, test } from "vitest";
import type { Route } from "../../model.ts";
import { newPlace } from "./place.ts";

const routes = (orders: Readonly<Record<string, number>>): Route[] =>
  Object.entries(orders).map(([id, sort_order]) => ({ id, sort_order }) as Route);

test.each<[string, Record<string, number>, number, Record<string, number>]>([
  ["the first of a store without routes", {}, 0, {}],
  ["after the last one", { shop: 0, web: 4 }, 5, {}],
  ["before the routes of a fresh store", { urgent: 0, normal: 1, quiet: 2 }, 0, { urgent: 1, normal: 2, quiet: 3 }],
  ["between", { shop: 0, urgent: 1, normal: 2, quiet: 3 }, 1, { urgent: 2, normal: 3, quiet: 4 }],
  ["placed without moving others where there is room", { shop: 0, urgent: 2, quiet: 3 }, 1, {}],
  ["after a route that was placed before them", { urgent: 0, shop: 1, quiet: 2 }, 2, { quiet: 3 }],
  ["after a route that is placed after them", { urgent: 0, normal: 1, shop: 9 }, 10, {}],
])("a new route is %s", (_title, orders, sort_order, moved) => {
  const place = newPlace(routes(orders));
  expect(place.sort_order).toBe(sort_order);
  expect(Object.fromEntries(place.moved)).toEqual(moved);
});
