import { expect, test } from "vitest";
import { calmRows } from "./rows.ts";

interface Row {
  readonly id: string;
  readonly value: number;
}
const rows = (text: string, value = 0): Row[] => [...text].map((id) => ({ id, value }));
const keyOf = ({ id }: Row): string => id;

test.each([
  ["a row that came waits", "abc", "xabc", "abc", "", 1],
  ["an order that changed waits", "abc", "cab", "abc", "", 0],
  ["a row that went stays, and is marked", "abc", "ac", "abc", "b", 0],
  ["one came while another went", "abc", "xac", "abc", "b", 1],
  ["rows behind the last one come at once", "abc", "abcde", "abcde", "", 0],
  ["and no others", "abc", "xacde", "abcde", "b", 1],
  ["also behind one that went", "abc", "abd", "abcd", "c", 0],
  ["nothing changed", "abc", "abc", "abc", "", 0],
])("%s", (_what, shown, given, order, gone, fresh) => {
  const calm = calmRows(rows(shown), rows(given), keyOf);
  expect([calm.rows.map(keyOf).join(""), [...calm.gone].join(""), calm.fresh]).toEqual([order, gone, fresh]);
});

test("rows have their present values, and a removed row its last ones", () => {
  const calm = calmRows(rows("ab", 1), rows("a", 2), keyOf);
  expect(calm.rows).toEqual([
    { id: "a", value: 2 },
    { id: "b", value: 1 },
  ]);
});
