import { expect, test } from "vitest";
import { spreadOf } from "./spread.ts";

test("servers of one step are grouped, and unknown values stay empty", () => {
  const first = { times: [0, 60, 120], values: [1, 2, null] };
  const second = { times: [10, 130, 190], values: [3, null, 8] };
  expect(spreadOf([first, second], 60)).toEqual({
    times: [0, 60, 120, 180],
    average: [2, 2, null, 8],
    low: [1, 2, null, 8],
    high: [3, 2, null, 8],
  });
  expect(spreadOf([], 60)).toEqual({ times: [], average: [], low: [], high: [] });
});
