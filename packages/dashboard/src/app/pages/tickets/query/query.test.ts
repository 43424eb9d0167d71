import { expect, test } from "vitest";
import { columnQuery, columnsOf, effectiveQuery } from "./query.ts";

const ALL = ["open", "in_progress", "closed"];

test.each([
  ["", "status:open|in_progress|on_hold"],
  ["*", "*"],
  [" bank ", "bank"],
])("the query %j selects %j", (query, asked) => {
  expect(effectiveQuery(query)).toBe(asked);
});

test.each([
  ["", "open", "status:open"],
  ["*", "open", "status:open"],
  ["status:open|closed bank", "closed", "status:closed bank"],
  ['tags:a "two words"', "open", 'status:open tags:a "two words"'],
])("for %j the column %s selects %j", (query, status, asked) => {
  expect(columnQuery(query, status)).toBe(asked);
});

test.each([
  ["", ALL],
  ["status:open|closed", ["open", "closed"]],
  ["status:never", ALL],
  ["-status:open", ALL],
])("the columns of %j are %j", (query, columns) => {
  expect(columnsOf(query, ALL)).toEqual(columns);
});
