import { expect, test } from "vitest";
import { oldestKept } from "./retention.ts";

test("a list keeps as many buckets as fit into the time", () => {
  expect(oldestKept("monthly", 36_000, "2 hours")).toBe(8);
});

test("a text without a time keeps everything", () => {
  expect(oldestKept("hourly", 36_000, "for ever")).toBeUndefined();
});
