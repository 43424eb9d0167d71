import { expect, test } from "vitest";
import { createExpressions } from "../../../../expressions/engine.ts";
import { splitWords } from "../../../../lib/text/split-words.ts";
import { expandCommand } from "../expand-params.ts";

const expressions = createExpressions();
const VARIABLES = { HOME: "/root" };
const expand = (command: string, x: string): string => expandCommand(expressions, command, { params: { x, y: "y" } });
const wordsOf = (command: string, x: string): string[] => splitWords(expand(command, x), VARIABLES);

const HOSTILE = [
  ...[
    "two words",
    "x --evil y",
    "' --evil '",
    '" --evil "',
    `'" --evil "'`,
    "\\",
    "end\\",
    "$HOME",
    `\${HOME}`,
    "`id`",
  ],
  ...["a;b|c&d", "tab\there", "line\nbreak", "'", '"', '\\" --evil', "{{ params.y }}", "it's"],
];

test.each(HOSTILE)("the value %j stays one argument wherever its macro stands", (value) => {
  const macro = "{{ params.x }}";
  expect(wordsOf(`run ${macro} end`, value)).toEqual(["run", value, "end"]);
  expect(wordsOf(`run "${macro}" end`, value)).toEqual(["run", value, "end"]);
  expect(wordsOf(`run '${macro}' end`, value)).toEqual(["run", value, "end"]);
  const mixed = `run --a=${macro} "b ${macro}" 'c ${macro}'`;
  expect(wordsOf(mixed, value)).toEqual(["run", `--a=${value}`, `b ${value}`, `c ${value}`]);
  expect(wordsOf(String.raw`run \" "\"${macro}" {{ params.y }}`, value)).toEqual(["run", '"', `"${value}`, "y"]);
});

test.each([
  ["plain", "plain"],
  ["", ""],
  ["two words", '"two words"'],
  ['say "hi"', '"say \\"hi\\""'],
  ["$HOME", '"\\$HOME"'],
  ["`id`", '"\\`id\\`"'],
  ["a\\b", '"a\\\\b"'],
  ["line\nbreak", '"line\nbreak"'],
])("the argument %j is quoted as %j on a command line", (text, written) => {
  expect(expand("run {{ params.x }}", text)).toBe(`run ${written}`);
});
