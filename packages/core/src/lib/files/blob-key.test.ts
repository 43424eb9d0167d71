import { expect, test } from "vitest";
import { checkBlobKey } from "./blob-key.ts";

test.each(["a", "jobs/j1/log.txt", "A-b_c.9", "a/..b/c", "a".repeat(1024)])("accepts %s", (key) => {
  expect(() => checkBlobKey(key)).not.toThrow();
});

test.each(["", "/a", "a/", "a//b", ".", "..", "a/../b", "a/./b", "...", "a b", "a\\b", "ä", "a\n", "a".repeat(1025)])(
  "refuses %j",
  (key) => {
    expect(() => checkBlobKey(key)).toThrow(TypeError);
  },
);
