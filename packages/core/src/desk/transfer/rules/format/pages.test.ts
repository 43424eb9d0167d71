import fc from "fast-check";
import { expect, test } from "vitest";
import { parseLine } from "./lines.ts";
import { pageList, placeAfter } from "./pages.ts";

test("a list is rebuilt from its pages completely and in order", () => {
  fc.assert(
    fc.property(fc.array(fc.record({ id: fc.string(), text: fc.string() }), { maxLength: 130 }), (entries) => {
      const lines = [...pageList("global/x", entries)].map(({ text }) => parseLine(text.trimEnd()));
      const pages = lines.slice(0, -1).map((line) => (line.kind === "record" ? line.value : undefined));
      expect(pages.flatMap((page) => (page as { items: unknown[] }).items)).toEqual(entries);
      const header = lines.at(-1);
      expect(header).toMatchObject({ key: "global/x", value: { type: "list", length: entries.length, first_page: 0 } });
      expect(header).toMatchObject({ value: { last_page: pages.length - 1 } });
    }),
  );
});

test("a page of long entries ends early", () => {
  const long = Array.from({ length: 10 }, (_, n) => ({ n, text: "x".repeat(100_000) }));
  expect([...pageList("k", long)].map(({ records }) => records)).toEqual([3, 3, 3, 1, 0]);
});

test.each<[number, unknown, number]>([
  [-1, undefined, 0],
  [-1, 0, 0],
  [0, 5, 5],
  [5, 5, 6],
  [5, 2, 6],
  [1, Number.NaN, 2],
  [1, "7", 2],
])("after %j a record of %j is at %j", (last, own, place) => {
  expect(placeAfter(last, own)).toBe(place);
});
