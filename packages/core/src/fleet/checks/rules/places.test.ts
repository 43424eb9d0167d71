import { expect, test } from "vitest";
import { indexOf, neededOf, serversOf } from "./places.ts";

const many = Array.from({ length: 12 }, (_each, at) => ({ id: `w${String(at).padStart(2, "0")}`, groups: ["web"] }));
const index = indexOf([{ id: "db1", groups: ["db", "all"] }, { id: "app", groups: ["all"] }, ...many.toReversed()]);

test.each<[string[] | null, string[]]>([
  [null, []],
  [["engine"], []],
  [["db1"], ["db1"]],
  [["gone"], []],
  [["all"], ["app", "db1"]],
  [
    ["db1", "all"],
    ["db1", "app"],
  ],
  [
    ["db1", "web"],
    ["db1", ...many.slice(0, 9).map(({ id }) => id)],
  ],
  [["engine", "web"], many.slice(0, 9).map(({ id }) => id)],
])("%j are asked from %j", (from, servers) => {
  expect(serversOf({ from }, index)).toEqual(servers);
});

test.each([
  [undefined, 0, 0],
  [undefined, 1, 1],
  [undefined, 2, 2],
  [undefined, 3, 2],
  [undefined, 4, 3],
  [1, 3, 1],
  [3, 2, 2],
  [2, 0, 0],
])("with %s to agree of %i, %i must fail", (agree, fresh, needed) => {
  expect(neededOf({ agree }, fresh)).toBe(needed);
});
