import fc from "fast-check";
import { expect, test } from "vitest";
import { readFrame } from "./frames.ts";

const read = (text: string) => readFrame(Buffer.from(text));

const minute = { version: "1.0", date: 1_800_000_000.5, server: "s1", hostname: "web01" };
const frameOf = (data: unknown): string => JSON.stringify({ cmd: "monitor", data: { ...minute, data } });

test("a minute comes with the text of its data, which parses to the data", () => {
  const data = fc
    .dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 }))
    // The reader drops members of that name at any depth.
    .filter((sent) => !JSON.stringify(sent).includes("__proto__"));
  void fc.assert(
    fc.property(data, (sent) => {
      const message = read(frameOf(sent));
      expect(message?.data).toEqual({ ...minute, data: JSON.parse(JSON.stringify(sent)) });
      expect(JSON.parse(String(message?.text))).toEqual(JSON.parse(JSON.stringify(sent)));
    }),
  );
});

test.each([
  ["a member after the data", '{"cmd":"monitor","data":{"date":1,"data":{"a":1},"version":{}}}'],
  ["the data twice", '{"cmd":"monitor","data":{"date":1,"data":{"a":1},"data":{"b":2}}}'],
  ["the data twice, a date between", '{"cmd":"monitor","data":{"date":1,"data":{"a":1},"date":5,"data":{"b":2}}}'],
  ["the message twice", '{"cmd":"monitor","data":{"date":1,"data":{"a":1}},"data":{"date":2,"data":{"b":2}}}'],
  ["a member with members before the data", '{"cmd":"monitor","data":{"x":{"y":1},"date":1,"data":{"a":1}}}'],
  ["an escaped name", '{"cmd":"monitor","data":{"date":1,"d\\u0061ta":{"data":{"a":1}}}}'],
  ["an escaped text before the data", '{"cmd":"monitor","data":{"date":1,"server":"\\"","data":{"a":1}}}'],
  ["text beyond ASCII before the data", '{"cmd":"monitor","data":{"date":1,"hostname":"bücher","data":{"a":"ü"}}}'],
  ["text beyond ASCII in the data", '{"cmd":"monitor","data":{"date":1,"data":{"a":"ü€😀"}}}'],
  ["another order", '{"data":{"date":1,"data":{"a":1}},"cmd":"monitor"}'],
  ["blanks", '{ "cmd": "monitor", "data": { "date": 1, "data": { "a": 1 } } }'],
  ["data that are no record", '{"cmd":"monitor","data":{"date":1,"data":[1]}}'],
  ["another command", '{"cmd":"quickmon","data":{"date":1,"data":{"a":1}}}'],
])("a frame with %s is parsed like JSON, with the text of its data", (_fact, text) => {
  const message = read(text);
  const { cmd, data } = JSON.parse(text);
  expect(message).toMatchObject({ cmd, data });
  if (message?.text !== undefined) expect(JSON.parse(String(message.text))).toEqual(data.data);
});

test.each([
  ["no JSON", "{"],
  ["no message", "[]"],
  ["null", "null"],
  ["a minute whose data are no JSON", '{"cmd":"monitor","data":{"date":1,"data":{"a":}}}'],
  ["a minute whose head is no JSON", '{"cmd":"monitor","data":{"date":1.2.3,"data":{"a":1}}}'],
  ["a text that is nested too deeply", `{"cmd":"a","data":${"[".repeat(64)}${"]".repeat(64)}}`],
  ["a minute that is nested too deeply", `{"cmd":"monitor","data":{"data":{"a":${"[".repeat(62)}${"]".repeat(62)}}}}`],
  ["a large one", `{"cmd":"a","data":${"[".repeat(300_000)}${"]".repeat(300_000)}}`],
])("%s is malformed", (_fact, text) => {
  expect(read(text)).toBeUndefined();
});

test("the deepest allowed nesting is read", () => {
  expect(read(`{"cmd":"a","data":${"[".repeat(63)}${"]".repeat(63)}}`)).toBeDefined();
  const data = `{"a":${"[".repeat(61)}${"]".repeat(61)}}`;
  expect(String(read(`{"cmd":"monitor","data":{"data":${data}}}`)?.text)).toBe(data);
});

test("members that would become prototypes are removed, and the text with them is not passed on", () => {
  const plain = read('{"cmd":"a","data":{"x":[{"__proto__":{"y":1},"z":1}]}}');
  expect(plain?.data).toEqual({ x: [{ z: 1 }] });
  const text = '{"cmd":"monitor","data":{"date":1,"data":{"a":{"__pr\\u006fto__":{"y":1},"z":1}}}}';
  const message = read(text);
  expect(message).toEqual({ cmd: "monitor", data: { date: 1, data: { a: { z: 1 } } } });
  expect(JSON.stringify(message)).not.toContain("proto");
});
