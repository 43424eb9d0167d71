import { describe, expect, test } from "vitest";
import { isSaveDue, SAVE_EVERY_SEC, savedNow } from "./host-saving.ts";

describe("storing the record of a minute", () => {
  test.each([
    ["of which nothing is known", undefined, 1000, true],
    ["stored a minute ago", 940, 1000, false],
    ["stored just under five minutes ago", 1000 - SAVE_EVERY_SEC + 1, 1000, false],
    ["stored five minutes ago", 1000 - SAVE_EVERY_SEC, 1000, true],
  ])("%s", (_name, savedAt, date, due) => {
    expect(isSaveDue({ savedAt }, date)).toBe(due);
  });

  test("a fleet that connected at once is stored at different times afterwards", () => {
    const times = Array.from({ length: 1000 }, (_unused, index) =>
      savedNow(`server${index}`, { savedAt: undefined }, 10_000),
    );
    expect(Math.max(...times)).toBeLessThanOrEqual(10_000);
    expect(Math.min(...times)).toBeGreaterThan(10_000 - SAVE_EVERY_SEC);
    expect(new Set(times).size).toBeGreaterThan(200);
  });

  test("from the second time on the stored time is the real one", () => {
    expect(savedNow("s1", { savedAt: 700 }, 1000)).toBe(1000);
  });
});
