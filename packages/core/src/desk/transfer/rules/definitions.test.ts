import fc from "fast-check";
import { expect, test } from "vitest";
import { inDependencyOrder, isPortable, portableFile, readPortableFile } from "./definitions.ts";

const item = (type: string, id: string) => ({ type, data: { id, title: id } });

test("items are ordered by their dependencies, and items of one type keep their own order", () => {
  const items = [
    item("event", "e1"),
    item("tag", "t2"),
    item("plugin", "p1"),
    item("tag", "t1"),
    item("category", "c1"),
  ];
  expect(inDependencyOrder(items).map(({ data }) => data.id)).toEqual(["t2", "t1", "c1", "p1", "e1"]);
});

test("a written definition reads back unchanged", () => {
  const types = [
    "tag",
    "role",
    "group",
    "category",
    "plugin",
    "web_hook",
    "channel",
    "bucket",
    "monitor",
    "alert",
    "event",
  ];
  const items = fc.array(
    fc.record({ type: fc.constantFrom(...types), data: fc.record({ id: fc.string(), n: fc.integer() }) }),
  );
  fc.assert(
    fc.property(items, (all) => {
      const file = portableFile(all, { description: "d", xyops: "1.0.88" });
      expect(readPortableFile(JSON.stringify(file))).toEqual(file);
    }),
  );
});

test.each<[string, string]>([
  ["{", "The file of definitions is not valid JSON"],
  ["[]", "The file holds no portable definitions"],
  ['{"type":"xypdf","version":"2.0","items":[]}', "The version of the file is not known"],
  ['{"type":"xypdf","version":"1.0"}', "The file has no list of items, or too long a one"],
  [
    '{"type":"xypdf","version":"1.0","items":[{"type":"secret","data":{}}]}',
    "Definitions of type secret are not portable",
  ],
  ['{"type":"xypdf","version":"1.0","items":[{"type":"tag"}]}', "An item of type tag has no data"],
  [
    '{"type":"xypdf","version":"1.0","items":[{"type":"tag","data":{"__proto__":{}}}]}',
    "An item of type tag has no data",
  ],
  [`{"type":"xypdf","x":"${"y".repeat(2_100_000)}"}`, "The file of definitions is too large"],
])("%.60s is refused", (text, reason) => {
  expect(() => readPortableFile(text)).toThrow(reason);
});

test("secrets cannot be written as definitions", () => {
  expect(() => portableFile([item("secret", "s")])).toThrow("Definitions of type secret are not portable");
});

test("a backup is told from definitions by its beginning", () => {
  expect(isPortable('{\n  "type": "xypdf",')).toBe(true);
  expect(isPortable('{"version":"1.0","type":"xypdf"}')).toBe(true);
  expect(isPortable('{"key":"a","value":{"type":"xypdf"}}')).toBe(false);
  expect(isPortable("# comment")).toBe(false);
});
