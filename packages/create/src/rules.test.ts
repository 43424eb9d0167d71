import { expect, test } from "vitest";
import { folderOf, packageNameOf, shellWord } from "./rules.ts";

test.each([
  [["my-ops"], "22.18.0", "my-ops"],
  [["a/b"], "24.1.0", "a/b"],
  [["."], "22.20.1", "."],
])("%j on Node %s is accepted", (args, node, folder) => {
  expect(folderOf(args, node)).toBe(folder);
});

test.each([
  [[], "24.0.0", "Name one folder"],
  [[""], "24.0.0", "Name one folder"],
  [["a", "b"], "24.0.0", "Name one folder"],
  [["--postgres"], "24.0.0", "There is no option --postgres"],
  [["a"], "22.17.9", "needs Node 22.18 or newer; this is 22.17.9"],
  [["a"], "20.19.0", "needs Node 22.18 or newer"],
])("%j on Node %s is refused", (args, node, sentence) => {
  expect(() => folderOf(args, node)).toThrow(sentence);
});

test.each([
  ["my-ops", "my-ops"],
  ["/srv/Über Ops!", "-ber-ops-".slice(1)],
  ["a/.hidden", "hidden"],
  ["/", "ops"],
])("a package in %s is called %s", (folder, name) => {
  expect(packageNameOf(folder)).toBe(name);
});

test.each([
  ["my-ops", "my-ops"],
  ["C:\\work\\ops", "C:\\work\\ops"],
  ["My Ops", '"My Ops"'],
  ["a'b", `"a'b"`],
  ['cost $5 "`x`"', '"cost \\$5 \\"\\`x\\`\\""'],
])("the folder %s is typed as %s", (folder, word) => {
  expect(shellWord(folder)).toBe(word);
});
