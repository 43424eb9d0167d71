import { expect, test } from "vitest";
import { fakeClock } from "../../../../testing/fake-clock.ts";
import { createFailureDelays } from "./failures.ts";

const setUp = () => {
  const clock = fakeClock();
  return { clock, delays: createFailureDelays({ clock, bounds: () => ({ free: 2, maxSec: 60 }) }) };
};
const times = (count: number, act: () => unknown) => Array.from({ length: count }, act);

test("failures after the free ones are delayed, each twice as long as the last", async () => {
  const { clock, delays } = setUp();
  times(2, () => delays.count("ann"));
  expect(delays.isDelayed("ann")).toBe(false);
  delays.count("ann");
  expect(delays.isDelayed("ann")).toBe(true);
  expect(delays.isDelayed("joe")).toBe(false);
  await clock.advance(1);
  expect(delays.isDelayed("ann")).toBe(false);
  delays.count("ann");
  await clock.advance(1.9);
  expect(delays.isDelayed("ann")).toBe(true);
  await clock.advance(0.1);
  expect(delays.isDelayed("ann")).toBe(false);
});

test("failures are forgotten after an hour without any", async () => {
  const { clock, delays } = setUp();
  times(20, () => delays.count("ann"));
  await clock.advance(3600);
  delays.count("ann");
  expect(delays.isDelayed("ann")).toBe(false);
});

test("failures that were taken back or forgotten no longer delay", () => {
  const { delays } = setUp();
  times(3, () => delays.count("ann"));
  delays.giveBack("ann");
  expect(delays.isDelayed("ann")).toBe(false);
  times(9, () => delays.count("ann"));
  delays.forget("ann");
  expect(delays.isDelayed("ann")).toBe(false);
});

test("failures of ten thousand keys are kept, the latest ones", () => {
  const { delays } = setUp();
  times(3, () => delays.count("ann"));
  for (let n = 0; n < 9_999; n++) delays.count(`k${n}`);
  expect(delays.isDelayed("ann")).toBe(true);
  delays.count("one more");
  expect(delays.isDelayed("ann")).toBe(false);
});
