import { expect, test } from "vitest";
import { systemRandom } from "./random.ts";

test("bytes come in the requested number, small and large, and never twice", () => {
  const random = systemRandom();
  for (const size of [0, 1, 16, 1024, 1025, 5000, 10_000]) expect(random.bytes(size)).toHaveLength(size);
  const seen = new Set(Array.from({ length: 2000 }, () => Buffer.from(random.bytes(16)).toString("hex")));
  expect(seen.size).toBe(2000);
});

test("bytes are a copy: changing them changes nothing else", () => {
  const random = systemRandom();
  const first = random.bytes(32);
  const copy = Uint8Array.from(first);
  random.bytes(32).fill(0);
  expect(first).toEqual(copy);
  expect(first.buffer.byteLength).toBe(32);
});

test("bytes are spread over all values", () => {
  const random = systemRandom();
  const counts = new Uint32Array(256);
  for (let n = 0; n < 2560; n++) for (const byte of random.bytes(100)) counts[byte] = (counts[byte] ?? 0) + 1;
  // Expects 1000 of each, give or take seven standard deviations.
  expect(Math.min(...counts)).toBeGreaterThan(778);
  expect(Math.max(...counts)).toBeLessThan(1222);
});

test("fractions lie in [0, 1) with a mean of a half", () => {
  const random = systemRandom();
  const values = Array.from({ length: 20_000 }, () => random.fraction());
  expect(values.every((value) => value >= 0 && value < 1)).toBe(true);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  expect(Math.abs(mean - 0.5)).toBeLessThan(0.02);
});
