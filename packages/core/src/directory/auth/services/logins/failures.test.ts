import { expect, test } from "vitest";
import { fakeClock } from "../../../../testing/fake-clock.ts";
import { createFailureDelays } from "./failures.ts";

const setUp = () => {
  const clock = fakeClock();
  return { clock, delays: createFailureDelays({ clock, bounds: () => ({ free: 2, maxSec: 60 }) }) };
};
const times = (count: number, act: () => unknown) => Array.from({ length: count }, act);

test("the failures after the free ones delay, each twice as long", async () => {
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

test("an hour without failures forgets them", async () => {
  const { clock, delays } = setUp();
  times(20, () => delays.count("ann"));
  await clock.advance(3600);
  delays.count("ann");
  expect(delays.isDelayed("ann")).toBe(false);
});

test("failures taken back or forgotten delay no longer", () => {
  const { delays } = setUp();
  times(3, () => delays.count("ann"));
  delays.giveBack("ann");
  expect(delays.isDelayed("ann")).toBe(false);
  times(9, () => delays.count("ann"));
  delays.forget("ann");
  expect(delays.isDelayed("ann")).toBe(false);
});

test("ten thousand keys are remembered, the ones that failed latest", () => {
  const { delays } = setUp();
  times(3, () => delays.count("ann"));
  for (let n = 0; n < 9_999; n++) delays.count(`k${n}`);
  expect(delays.isDelayed("ann")).toBe(true);
  delays.count("one more");
  expect(delays.isDelayed("ann")).toBe(false);
});
