import { expect, test } from "vitest";
import { delaySec } from "./delay.ts";

test.each([
  [0, 0],
  [5, 0],
  [6, 1],
  [7, 2],
  [8, 4],
  [15, 512],
  [16, 900],
  [5000, 900],
])("%i failures delay the next attempt by %i seconds", (failures, seconds) => {
  expect(delaySec(failures, { free: 5, maxSec: 900 })).toBe(seconds);
});
