import { expect, test } from "vitest";
import { fullAt } from "./disk-full.ts";

const DAY = 86_400;
const hours = (count: number, value: (hour: number) => number) =>
  Array.from({ length: count }, (_, hour) => ({ at: hour * 3600, value: value(hour) }));

test.each([
  ["grows by one a day from 90", hours(49, (hour) => 88 + hour / 24), 48 * 3600 + 10 * DAY],
  ["is full", hours(10, (hour) => 91 + hour), 9 * 3600],
  ["stays", hours(48, () => 90), undefined],
  ["shrinks", hours(48, (hour) => 90 - hour / 10), undefined],
  ["goes up and down", hours(48, (hour) => 50 + 10 * Math.sin(hour)), undefined],
  ["would be full in years", hours(48, (hour) => 10 + hour / 1e5), undefined],
  ["has just been seen", hours(3, (hour) => 88 + hour), undefined],
  ["says nothing", [], undefined],
])("a disk that %s", (_what, readings, at) => {
  const found = fullAt(readings);
  if (at === undefined) expect(found).toBeUndefined();
  else expect(found).toBeCloseTo(at, -2);
});
