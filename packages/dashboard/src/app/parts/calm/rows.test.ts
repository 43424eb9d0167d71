import { expect, test } from "vitest";
import { calmRows } from "./rows.ts";

interface Row {
  readonly id: string;
  readonly value: number;
}
const rows = (text: string, value = 0): Row[] => [...text].map((id) => ({ id, value }));
const keyOf = ({ id }: Row): string => id;

test.each([
  ["a new row waits", "abc", "xabc", "abc", "", 1],
  ["a changed order waits", "abc", "cab", "abc", "", 0],
  ["a removed row stays, and is marked", "abc", "ac", "abc", "b", 0],
  ["one was added while another was removed", "abc", "xac", "abc", "b", 1],
  ["rows after the last one are added at once", "abc", "abcde", "abcde", "", 0],
  ["and no others", "abc", "xacde", "abcde", "b", 1],
  ["also after a removed one", "abc", "abd", "abcd", "c", 0],
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
