import * as fc from "fast-check";
import { expect, test } from "vitest";
import { codePoint } from "../../../test/code-point.ts";
import { splitWords } from "./split-words.ts";

test.each<[string, string[]]>([
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
])("%j without variables becomes %j", (command, words) => {
  expect(splitWords(command)).toEqual(words);
});

test.each(["a 'b", `a "b`, String.raw`"a\"`])("%j is refused for its quote", (command) => {
  expect(() => splitWords(command)).toThrow("Unclosed quote");
});

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: the shell writes its variables so
test.each([
  ["/bin/ls -l  a", ["/bin/ls", "-l", "a"]],
  ["a 'b c' \"d e\" f\\ g", ["a", "b c", "d e", "f g"]],
  ["a '' \"\"", ["a", "", ""]],
  ["a'b'\"c\"d", ["abcd"]],
  ["$X ${X}y \"$X\" '$X' \\$X", ["v w", "v wy", "v w", "$X", "$X"]],
  ["$UNSET-x $ ${ $1", ["-x", "$", "${", "$1"]],
  ["a | b > c; `d` *", ["a", "|", "b", ">", "c;", "`d`", "*"]],
  ['"a\\"b\\n"', ['a"b\\n']],
  ["$constructor", [""]],
])("%j with the variable X", (command, words) => {
  expect(splitWords(command, { X: "v w" })).toEqual(words);
});

// biome-ignore-end lint/suspicious/noTemplateCurlyInString: as above

test("quoted words are restored unchanged", () => {
  const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
  void fc.assert(
    fc.property(fc.array(fc.string({ unit: codePoint })), (words) => {
      expect(splitWords(words.map(quote).join(" "))).toEqual(words);
    }),
  );
});

test("a very long command takes time by its length alone", () => {
  const long = "\\\\".repeat(500_000);
  expect(splitWords(`"${long}"`)[0]?.length).toBe(500_000);
  expect(() => splitWords(`'${long}`)).toThrow("Unclosed quote");
});
