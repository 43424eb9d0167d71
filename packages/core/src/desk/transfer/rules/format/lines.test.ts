import { expect, test } from "vitest";
import { emptyLine, headerOf, parseLine, recordLine, rowLine, shown } from "./lines.ts";

test.each<[string, object]>([
  ["", { kind: "nothing" }],
  ["# {}", { kind: "nothing" }],
  [' {"key":"a"}', { kind: "nothing" }],
  ['{"key":"global/tags","value":{"length":1}}', { kind: "record", key: "global/tags", value: { length: 1 } }],
  ['{"index":"jobs","id":"j1","record":{"id":"j1"}}', { kind: "row", index: "jobs", id: "j1", record: { id: "j1" } }],
  ['{"cmd":"listDelete","args":["a",false]}', { kind: "command", cmd: "listDelete", args: ["a", false] }],
  ['{"cmd":"listDelete"}', { kind: "fault", reason: "A command has no args" }],
  ['{"index":"jobs","record":{}}', { kind: "fault", reason: "A row of jobs has no id or no record" }],
  ['{"index":"jobs","id":"j1","record":[]}', { kind: "fault", reason: "A row of jobs has no id or no record" }],
  ["{}", { kind: "fault", reason: "Neither a record nor a row nor a command" }],
  ['{"key":', { kind: "fault", reason: "Not valid JSON" }],
  ['{"key":"a","value":{"b":[{"__proto__":{}}]}}', { kind: "fault", reason: "Contains the illegal key __proto__" }],
  ['{"key":"a","value":{"\\u005f_proto__":1}}', { kind: "fault", reason: "Contains the illegal key __proto__" }],
  ['{"key":"a","value":"the text __proto__"}', { kind: "record", key: "a", value: "the text __proto__" }],
])("%j", (text, expected) => {
  expect(parseLine(text)).toEqual(expected);
});

test("a written line reads back unchanged", () => {
  expect(parseLine(recordLine("users/a", { n: 1 }).trimEnd())).toEqual({
    kind: "record",
    key: "users/a",
    value: { n: 1 },
  });
  const row = { id: "j1", text: "a\nb\u2028" };
  expect(parseLine(rowLine("jobs", row).trimEnd())).toMatchObject({ kind: "row", id: "j1", record: row });
  expect(parseLine(emptyLine("global/tags").trimEnd())).toMatchObject({ cmd: "listDelete" });
});

test("a name with line breaks stays a comment", () => {
  const header = headerOf({ product: 'X\n{"cmd":"listDelete","args":["global/users"]}', hostname: "a\r\n{}", now: 0 });
  expect(header.split("\n").filter((line) => line.startsWith("{"))).toEqual([]);
  expect(header).toContain("Date/Time: 1970-01-01T00:00:00.000Z");
});

test("pieces of a file are short and on one line", () => {
  expect(shown("a\nb")).toBe("a b");
  expect(shown("x".repeat(500))).toHaveLength(121);
});
