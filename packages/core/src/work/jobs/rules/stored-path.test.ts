import { describe, expect, test } from "vitest";
import { outputPath } from "./stored-path.ts";

describe("the path of an output file", () => {
  test.each<[unknown, string | undefined]>([
    ["files/jobs/j1/x/a.csv", "files/jobs/j1/x/a.csv"],
    ["files/jobs/j1/a b (ü).csv", "files/jobs/j1/a b (ü).csv"],
    ["./files//jobs/./j1/x/../y/a.csv", "files/jobs/j1/y/a.csv"],
    ["files/jobs/j2/../j1/a.csv", "files/jobs/j1/a.csv"],
    ["files/jobs/j1/../j2/a.csv", undefined],
    ["files/jobs/j1/../../../files/jobs/j1/a.csv", "files/jobs/j1/a.csv"],
    ["/files/jobs/j1/a.csv", undefined],
    ["files/jobs/j1", undefined],
    ["files/jobs/j1/", undefined],
    ["files/jobs/j10/a.csv", undefined],
    ["", undefined],
    [5, undefined],
    [`files/jobs/j1/${"a".repeat(1024)}`, undefined],
  ])("%j is %j", (path, normal) => {
    expect(outputPath(path, "j1")).toBe(normal);
  });
});
