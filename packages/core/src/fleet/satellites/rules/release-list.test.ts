import { describe, expect, test } from "vitest";
import { readReleases } from "./release-list.ts";

describe("a list of releases", () => {
  test("may contain texts or objects, and nothing that cannot be downloaded", () => {
    const list = [
      { tag_name: "v1.0.40", name: "Forty", published_at: "2026-11-01T00:00:00Z", assets: [] },
      { version: "1.0.39" },
      "v1.0.38",
      ...[{ tag_name: "../evil" }, { tag_name: 5 }, null, 7, "", ".hidden", "a b", "x".repeat(65)],
    ];
    expect(readReleases(JSON.stringify(list))).toEqual([
      { version: "v1.0.40", title: "Forty", published: "2026-11-01T00:00:00Z" },
      { version: "1.0.39" },
      { version: "v1.0.38" },
    ]);
  });

  test("has a hundred entries at most", () => {
    expect(readReleases(JSON.stringify(Array(5000).fill("v1")))).toHaveLength(100);
  });

  test.each(["{}", '"v1"', "<html>"])("%s is no list", (text) => {
    expect(() => readReleases(text)).toThrow();
  });
});
