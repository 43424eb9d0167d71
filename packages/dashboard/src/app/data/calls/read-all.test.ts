import { expect, test } from "vitest";
import { readAll, readMost } from "./read-all.ts";

test.each([0, 1, 3, 7])("a list of %i is read to its end, in pages", async (count) => {
  const all = Array.from({ length: count }, (_, at) => at);
  expect(await readAll(async (offset) => ({ rows: all.slice(offset, offset + 3), list: all }))).toEqual(all);
});

test("a list that became shorter meanwhile is also read to its end", async () => {
  const answers = [
    { rows: [1, 2], list: { length: 4 } },
    { rows: [], list: { length: 4 } },
  ];
  expect(await readAll(async () => answers.shift() ?? { rows: [9], list: { length: 9 } })).toEqual([1, 2]);
});

test("no more is read than is enough", async () => {
  const asked: number[] = [];
  const read = async (offset: number) => {
    asked.push(offset);
    return { rows: [offset, offset + 1], list: { length: 9 } };
  };
  expect(await readAll(read, (found) => found.includes(3))).toEqual([0, 1, 2, 3]);
  expect(asked).toEqual([0, 2]);
});

test("a row that a newer one has moved to the next page is returned once", async () => {
  const all = [{ id: "c" }, { id: "b" }, { id: "a" }];
  const read = async (offset: number) => {
    const answer = { rows: all.slice(offset, offset + 2), list: { length: all.length } };
    if (offset === 0) all.unshift({ id: "d" });
    return answer;
  };
  expect((await readAll(read)).map(({ id }) => id)).toEqual(["c", "b", "a"]);
});

test.each([
  ["a list longer than", 4, 3],
  ["a list as long as", 7, 0],
  ["a list shorter than", 9, 0],
])("%s the maximum says how many rows are left", async (_which, most, further) => {
  const read = async (offset: number) => ({
    rows: [0, 1, 2, 3, 4, 5, 6].slice(offset, offset + 2),
    list: { length: 7 },
  });
  const found = await readMost(read, most);
  expect([found.rows.length, found.further]).toEqual([7 - further, further]);
});

test("rows after the last one needed do not count as left", async () => {
  const read = async (offset: number) => ({ rows: [offset, offset + 1], list: { length: 9 } });
  expect(await readMost(read, 6, (found) => found.includes(3))).toEqual({ rows: [0, 1, 2, 3], further: 0 });
});
