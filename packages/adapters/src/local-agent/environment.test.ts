import fc from "fast-check";
import { expect, test } from "vitest";
import { buildEnvironment, inheritedEnvironment } from "./environment.ts";
import { splitWords } from "./shell-words.ts";

const empty = { inherited: {}, agent: {}, job: {}, details: {}, secrets: {}, facts: {}, account: {} };
const account = { username: "ops", homedir: "/home/ops", shell: "/bin/bash" };

test("a value that is too large for the kernel is left out, the rest stays", () => {
  const env = buildEnvironment({ ...empty, job: { params: { big: "x".repeat(200_000), small: "y" } } });
  expect(env).toEqual({ small: "y" });
});

test("all values together stay below the limit of the kernel", () => {
  const params = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`p${index}`, "x".repeat(100_000)]));
  const env = buildEnvironment({ ...empty, job: { params } });
  expect(Object.values(env).join("").length).toBeLessThanOrEqual(1_000_000);
});

test("names and values that no environment can hold are left out", () => {
  const env = buildEnvironment({ ...empty, secrets: { "A=B": "1", "": "2", NUL: "a\0b", OK: "3" } });
  expect(env).toEqual({ OK: "3" });
});

test("numbers, flags, null and objects become text", () => {
  const params = { n: 1.5, yes: true, none: null, list: [1, "a"] };
  expect(buildEnvironment({ ...empty, job: { params } })).toEqual({ n: "1.5", yes: "true", none: "", list: '[1,"a"]' });
});

test("the start has the user, the common folders behind the given ones, and nothing of the host", () => {
  expect(inheritedEnvironment({ PATH: "/opt/bin:/bin", LANG: "C" }, account)).toEqual({
    USER: "ops",
    LOGNAME: "ops",
    HOME: "/home/ops",
    SHELL: "/bin/bash",
    LANG: "C",
    PATH: "/opt/bin:/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin",
  });
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
])("%j splits as a shell would", (command, words) => {
  expect(splitWords(command, { X: "v w" })).toEqual(words);
});

// biome-ignore-end lint/suspicious/noTemplateCurlyInString: as above

test("an unclosed quote is an error", () => {
  expect(() => splitWords("a 'b", {})).toThrow("Unclosed quote");
});

test("words in single quotes come back as they were", () => {
  const word = fc.string().map((text) => text.replaceAll("'", ""));
  fc.assert(
    fc.property(fc.array(word), (words) => {
      expect(splitWords(words.map((each) => `'${each}'`).join(" "), {})).toEqual(words);
    }),
  );
});
