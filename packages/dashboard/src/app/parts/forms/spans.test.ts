import { expect, test } from "vitest";
import { unitOf } from "./spans.ts";

test.each([
  [undefined, "hours"],
  [0, "hours"],
  [45, "seconds"],
  [90, "seconds"],
  [2400, "minutes"],
  [93_600, "hours"],
  [172_800, "days"],
  [0.5, "seconds"],
] as const)("%s s are written in %s", (seconds, unit) => expect(unitOf(seconds)).toBe(unit));
