import { expect, test } from "vitest";
import { secondsOf } from "./seconds.ts";

const samples = [{ date: 1, rx: 100 }, { date: 2 }, { date: 3, rx: 400 }, { date: 5, rx: 600 }, { date: 6, rx: 50 }];

test("a counter is shown by its growth per second, and left out where it is missing or restarted", () => {
  expect(secondsOf(samples as never, "rx", true)).toEqual([null, null, null, 100, null]);
  expect(secondsOf(samples as never, "rx", false)).toEqual([100, null, 400, 600, 50]);
});
