import { expect, test } from "vitest";
import { threadMs } from "../../../test/thread-time.ts";
import { compilePathGlob } from "./path-glob.ts";

test.each<[string, string, boolean]>([
  ["*.txt", "a.txt", true],
  ["*.txt", "sub/a.txt", false],
  ["sub/*.txt", "sub/a.txt", true],
  ["**/*.txt", "a.txt", true],
  ["**/*.txt", "one/two/a.txt", true],
  ["one/**/a.txt", "one/a.txt", true],
  ["one/**/a.txt", "one/two/three/a.txt", true],
  ["one/**/a.txt", "two/a.txt", false],
  ["one/**", "one/two/a.txt", true],
  ["**", "one/two/a.txt", true],
  ["*/**", "a.txt", false],
  ["{one,two/three}/*", "two/three/a.txt", true],
  ["{one,two/three}/*", "two/a.txt", false],
  ["*", ".hidden", false],
  [".*", ".hidden", true],
  ["**/*", ".cache/a.txt", false],
  ["*a/b", "ca/b", true],
])("%j matches %j: %s", (pattern, path, expected) => {
  expect(compilePathGlob(pattern).isMeant(path.split("/"))).toBe(expected);
});

test.each<[string, string, boolean]>([
  ["*.txt", "sub", false],
  ["sub/*.txt", "sub", true],
  ["sub/*.txt", "sub/deep", false],
  ["sub/*.txt", "other", false],
  ["**/*.txt", "one/two", true],
  ["one/**", "one/two/three", true],
  ["{one,two/three}/*", "two", true],
])("%j may match below %j: %s", (pattern, folder, expected) => {
  expect(compilePathGlob(pattern).mayLead(folder.split("/"))).toBe(expected);
});

test("no pattern takes long", () => {
  const glob = compilePathGlob(`${"**/".repeat(20)}${"*a".repeat(60)}b`);
  let isMeant = true;
  const processorMs = threadMs(() => {
    isMeant = glob.isMeant([...Array<string>(50).fill("aa"), "a".repeat(255)]);
  });
  expect(isMeant).toBe(false);
  expect(processorMs).toBeLessThan(200);
});
