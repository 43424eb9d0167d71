import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { threadMs } from "../../test/thread-time.ts";
import { createCalendar } from "../lib/time/calendar.ts";
import { readDate } from "./parse/dates.ts";
import { parseSearch } from "./parse/parse.ts";
import type { SearchTable } from "./parse/table.ts";

const context = { now: 1_779_278_400, calendar: createCalendar(), zone: "UTC" };
const table: SearchTable = {
  fields: {
    keywords: { kind: "words" },
    tags: { kind: "keywords" },
    num: { kind: "number" },
    date: { kind: "hour" },
    due: { kind: "day" },
    body: { kind: "text", markup: "markdown" },
  },
  defaultField: "keywords",
  sorters: {},
};
const parse = (text: string) =>
  parseSearch(text, { table, collection: {}, readDate: (date, unit) => readDate(date, unit, context) });

describe("a hostile query", () => {
  test.each([
    ["x".repeat(10_001), "The query is too long"],
    ["x|".repeat(1001), "The query has too many parts"],
    [Array.from({ length: 251 }, (_unused, n) => `x${n}`).join(" "), "The query has too many parts"],
    [`body:"${"x ".repeat(101)}"`, "A phrase of the query is too long"],
    [`body:"${"x ".repeat(90)}"|`.repeat(12), "The query has too many parts"],
    [`tags:${Array.from({ length: 251 }, (_unused, n) => `x${n}`).join(",")}`, "The query has too many parts"],
    [`(${Array.from({ length: 251 }, (_unused, n) => `tags = "${n}"`).join(" & ")})`, "The query has too many parts"],
  ])("%.40s is refused", (query, reason) => {
    expect(() => parse(query)).toThrow(reason);
  });

  test("a query that repeats a word counts it once", () => {
    expect(parse("joe ".repeat(900))).toEqual(parse("joe"));
    expect(parse(`joe ${"-ann ".repeat(900)}`)).toEqual(parse("joe -ann"));
  });

  test("is always a condition or a refusal", async () => {
    const pieces = ["a", "-", "+", ":", "|", '"', " ", "date:", "num:", "..", ">", "<=", "(", ")", "&", "=", "!~"];
    const piece = fc.constantFrom(...pieces, "#id:", "1", ".", "'", "\\", "body:", "\n", "é", "<b>", "```", "&amp;");
    const query = fc.oneof(
      fc.array(fc.integer({ min: 0, max: 0x10ffff })).map((points) => String.fromCodePoint(...points)),
      fc.array(piece, { maxLength: 60 }).map((parts) => parts.join("")),
      fc.array(piece, { maxLength: 60 }).map((parts) => `(${parts.join("")})`),
    );
    await fc.assert(
      fc.property(query, (text) => {
        try {
          expect(parse(text).node).toBeDefined();
        } catch (error) {
          expect((error as Error).name).toBe("SearchError");
        }
      }),
      { numRuns: 2000 },
    );
  });

  const units = [
    '"',
    "a:",
    "|",
    "-",
    "1.",
    " ",
    "..",
    "(",
    '("',
    "a|",
    "<a",
    "&#",
    "\\",
    '"a ',
    "num:>",
    "http://",
    "''",
  ];
  test.each(units)("a query of many repetitions of %j costs no more than its length", (unit) => {
    for (const [open, close] of [
      ["", ""],
      ["(", ")"],
      ['(body = "', '")'],
      ["body:", ""],
    ] as const) {
      const query = open + unit.repeat((10_000 - open.length - close.length) / unit.length) + close;
      const cost = threadMs(() => {
        try {
          parse(query);
        } catch {
          // A refusal is fine too: only the time counts here.
        }
      });
      expect(cost).toBeLessThan(500);
    }
  });
});
