import { expect, test } from "vitest";
import { fakeClock } from "../testing/fake-clock.ts";
import { createTrials, twoAtOnce } from "./trials.ts";

test("ten trials a minute are allowed, and the next one when the first is a minute old", async () => {
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

test("two trials run at a time; a third is refused until one has ended, also with a failure", async () => {
  const open: PromiseWithResolvers<string>[] = [];
  const run = twoAtOnce("Too many.", (_input: number) => {
    const turn = Promise.withResolvers<string>();
    open.push(turn);
    return turn.promise;
  });
  const [first, second] = [run(1), run(2)];
  await expect(run(3)).rejects.toMatchObject({ code: "rate", description: "Too many." });
  open[0]?.reject(new Error("broken"));
  await expect(first).rejects.toThrow("broken");
  const third = run(3);
  for (const turn of open.slice(1)) turn.resolve("done");
  expect(await Promise.all([second, third])).toEqual(["done", "done"]);
  expect(open).toHaveLength(3);
});
