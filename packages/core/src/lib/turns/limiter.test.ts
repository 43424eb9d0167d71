import { expect, test } from "vitest";
import { createLimiter } from "./limiter.ts";

const limiterOf = (atOnce: number, most: number) =>
  createLimiter({ atOnce, most, refusal: () => new Error("Too many.") });

test("runs the allowed number at once and the rest in order", async () => {
  const line = limiterOf(2, 10);
  const order: number[] = [];
  const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const runs = gates.map(({ promise }, index) =>
    line(async () => {
      order.push(index);
      await promise;
      return index;
    }),
  );
  expect(order).toEqual([0, 1]);
  gates[1]?.resolve();
  await runs[1];
  expect(order).toEqual([0, 1, 2]);
  for (const gate of gates) gate.resolve();
  expect(await Promise.all(runs)).toEqual([0, 1, 2, 3]);
});

test("refuses callers while it is full, and accepts others afterwards", async () => {
  const line = limiterOf(1, 1);
  const gate = Promise.withResolvers<void>();
  const runs = [line(() => gate.promise), line(async () => undefined)];
  await expect(line(async () => undefined)).rejects.toThrow("Too many.");
  gate.resolve();
  await Promise.all(runs);
  expect(await line(async () => "in")).toBe("in");
});

test("continues after a failure", async () => {
  const line = limiterOf(1, 1);
  const failing = line(async () => {
    throw new Error("no");
  });
  const next = line(async () => "next");
  await expect(failing).rejects.toThrow("no");
  expect(await next).toBe("next");
});
