import { expect, test } from "vitest";
import { isOnPage, linesOf } from "./pages.ts";

test.each([
  ["Job?id=j1", "Job?id=j1", true],
  ["Job?id=j1", "Job?id=j2", false],
  ["Search?query=*", "Search", true],
  ["Search", "Job?id=j1", false],
  ["", "Search", false],
])("a viewer of %j gets messages for %j: %s", (page, told, answer) => {
  expect(isOnPage(page, told)).toBe(answer);
});

test("pages of several windows are sent once each, and no more than the server follows", () => {
  expect(linesOf(["Job?id=j1", "", "Search", "Job?id=j1"])).toBe("Job?id=j1\nSearch");
  expect(linesOf(Array.from({ length: 30 }, (_, at) => `Job?id=${at}`)).split("\n")).toHaveLength(20);
});
