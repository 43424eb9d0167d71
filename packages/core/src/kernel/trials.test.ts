import { expect, test } from "vitest";
import { fakeClock } from "../testing/fake-clock.ts";
import { createTrials } from "./trials.ts";

test("ten trials a minute are taken, and the next one when the first is a minute old", async () => {
  const clock = fakeClock();
  const take = createTrials({ clock }, "Too many.");
  take();
  await clock.advance(30);
  for (let count = 1; count < 10; count++) take();
  expect(take).toThrow("Too many.");
  await clock.advance(30);
  take();
  expect(take).toThrow("Too many.");
});
