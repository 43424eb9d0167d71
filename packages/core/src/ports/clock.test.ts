import { expect, test } from "vitest";
import { systemClock } from "./clock.ts";

test("gives Unix seconds and a time that never steps back", () => {
  const [earlier, now, later] = [Date.now() / 1000, systemClock.now(), Date.now() / 1000];
  expect(now).toBeGreaterThanOrEqual(earlier);
  expect(now).toBeLessThanOrEqual(later);
  const before = systemClock.monotonicMs();
  expect(systemClock.monotonicMs()).toBeGreaterThanOrEqual(before);
});

test("runs a task once, and not at all when it is disposed", async () => {
  let runs = 0;
  const cancelled = systemClock.after(0, () => {
    runs += 100;
  });
  cancelled[Symbol.dispose]();
  const { promise, resolve } = Promise.withResolvers<void>();
  systemClock.after(1, () => {
    runs++;
    resolve();
  });
  // The task does not keep the process alive, so something else must.
  const alive = setInterval(() => undefined, 1000);
  await promise;
  clearInterval(alive);
  expect(runs).toBe(1);
});

test("a delay longer than a timer can hold does not fire at once", async () => {
  let fired = false;
  const timer = systemClock.after(2 ** 40, () => {
    fired = true;
  });
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  timer[Symbol.dispose]();
  expect(fired).toBe(false);
});

test("a delay that is already over causes no warning of Node", async () => {
  const warned: string[] = [];
  const note = ({ name }: Error): void => void warned.push(name);
  process.on("warning", note);
  await new Promise<void>((resolve) => void systemClock.after(-10, resolve));
  process.off("warning", note);
  expect(warned).toEqual([]);
});
