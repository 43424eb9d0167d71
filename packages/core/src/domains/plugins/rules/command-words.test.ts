import * as fc from "fast-check";
import { expect, test } from "vitest";
import { splitCommand } from "./command-words.ts";

test.each<[string, string[] | undefined]>([
  ["/bin/sh", ["/bin/sh"]],
  ["  /bin/sh\t-c \n 'a b' ", ["/bin/sh", "-c", "a b"]],
  [`a"b c"'d e'f`, ["ab cd ef"]],
  [String.raw`a\ b \'c\" \\`, ["a b", `'c"`, "\\"]],
  [String.raw`"a\"b\\c\$d\e"`, [String.raw`a"b\c$d\e`]],
  [String.raw`'a\b'`, [String.raw`a\b`]],
  [`"" ''`, ["", ""]],
  ['a\\\nb "c\\\nd"', ["ab", "cd"]],
  ["$HOME `id` $(id) *.js | cat > x; y & ~", ["$HOME", "`id`", "$(id)", "*.js", "|", "cat", ">", "x;", "y", "&", "~"]],
  ["end\\", ["end\\"]],
  ["", []],
  ["a 'b", undefined],
  [`a "b`, undefined],
  [String.raw`"a\"`, undefined],
])("%j becomes %j", (command, words) => {
  expect(splitCommand(command)).toEqual(words);
});

test("quoted words come out as they went in", () => {
  const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
  void fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary" })), (words) => {
      expect(splitCommand(words.map(quote).join(" "))).toEqual(words);
    }),
  );
});

test("a very long command takes no longer than its length", () => {
  const long = "\\\\".repeat(500_000);
  expect(splitCommand(`"${long}"`)?.[0]?.length).toBe(500_000);
  expect(splitCommand(`'${long}`)).toBeUndefined();
});
