import { expect, test } from "vitest";
import { isPlainKey, shownPath } from "./paths.ts";

const RANDOM = "Ab-_".repeat(10).concat("xyz");

test.each([
  ["files/ann/report.csv", true],
  [`files/ann/${RANDOM}/report.csv`, false],
  [`files/jobs/j1/${RANDOM}/report.csv`, false],
  ["files/report.csv", false],
])("the key %s is guessable: %s", (key, isPlain) => {
  expect(isPlainKey(key)).toBe(isPlain);
});

test("a path is shown with only the beginnings of its random names", () => {
  expect(shownPath(`files/ann/${RANDOM}/report.csv`)).toBe("files/ann/Ab-_Ab-_…/report.csv");
  expect(shownPath(`files/${RANDOM}/../${RANDOM}`)).toBe("files/Ab-_Ab-_…/../Ab-_Ab-_…");
  expect(shownPath(`files/ann/${RANDOM.repeat(20)}`)).not.toContain(RANDOM.slice(0, 9));
});

test("short names are shown in full", () => {
  expect(shownPath("files/ann/report.csv")).toBe("files/ann/report.csv");
});
