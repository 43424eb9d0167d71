import { expect, test } from "vitest";
import { addMinute, firstAfter, lastBy, type Stretch } from "./stretches.ts";

const stretches: Stretch[] = [];
for (const minute of [1, 2, 3, 7, 8]) addMinute(stretches, minute * 60);

test("consecutive minutes are one stretch", () => {
  expect(stretches).toEqual([
    { from: 60, to: 180 },
    { from: 420, to: 480 },
  ]);
});

test.each<[number, number | undefined, number | undefined]>([
  [0, undefined, 60],
  [60, 60, 120],
  [130, 120, 180],
  [180, 180, 420],
  [300, 180, 420],
  [425, 420, 480],
  [480, 480, undefined],
  [9000, 480, undefined],
])("at %i the last minute was %o, and the next one is %o", (at, last, next) => {
  expect([lastBy(stretches, at), firstAfter(stretches, at)]).toEqual([last, next]);
});
