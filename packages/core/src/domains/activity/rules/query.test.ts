import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { threadMs } from "../../../../test/thread-time.ts";
import { everything, nothing, type SearchNode } from "../../../search/ast.ts";
import { createCalendar } from "../../events/rules/calendar.ts";
import { readMoment } from "./dates.ts";
import { parseActivityQuery } from "./query.ts";
import { wordsOf } from "./words.ts";

/** 2026-05-20 12:00:00 UTC */
const NOON = Date.UTC(2026, 4, 20, 12) / 1000;
const context = { now: NOON, calendar: createCalendar(), zone: "UTC" };
const parse = (text: string) => parseActivityQuery(text, (date) => readMoment(date, context));
const at = (...parts: [number, number, number?, number?]): number => {
  const [year, month, day = 1, hour = 0] = parts;
  return Date.UTC(year, month - 1, day, hour) / 1000;
};

const keyword = (...words: string[]): SearchNode => ({ kind: "term", field: "keywords", words });
const action = (...words: string[]): SearchNode => ({ kind: "term", field: "action", words });
const and = (...nodes: SearchNode[]): SearchNode => ({ kind: "and", nodes });
const or = (...nodes: SearchNode[]): SearchNode => ({ kind: "or", nodes });
const not = (node: SearchNode): SearchNode => ({ kind: "not", node });
const from = (value: number): SearchNode => ({ kind: "compare", field: "epoch", operator: "gte", value });
const before = (value: number): SearchNode => ({ kind: "compare", field: "epoch", operator: "lt", value });
const day = (start: number): SearchNode => and(from(start), before(start + 86_400));

describe("a query", () => {
  test.each<[string, SearchNode]>([
    ["*", everything],
    ["  ", everything],
    ["joe", keyword("joe")],
    ["+Joe", keyword("joe")],
    ["joe t1", and(keyword("joe"), keyword("t1"))],
    ["joe|ann | bob", keyword("joe", "ann", "bob")],
    ["joe -ann", and(keyword("joe"), not(keyword("ann")))],
    ["joe -ann -bob", and(keyword("joe"), not(or(keyword("ann"), keyword("bob"))))],
    ["10.0.0.1", keyword("10_0_0_1")],
    ['"a b"|c', or(and(keyword("a"), keyword("b")), keyword("c"))],
    ["keywords:joe ann", and(keyword("joe"), keyword("ann"))],
    ["action:tag_create", action("tag_create")],
    ["Action : tag_create|tag_update", action("tag_create", "tag_update")],
    ["action:tag_create joe", and(action("tag_create"), keyword("joe"))],
    ["joe action:-user_login", and(keyword("joe"), not(action("user_login")))],
    ["joe -action:user_login", and(keyword("joe"), not(action("user_login")))],
    ["joe action:-a -b", and(keyword("joe"), not(or(action("a"), action("b"))))],
    ["action:a -b", and(action("a"), not(keyword("b")))],
    ["https://host.example/path", and(keyword("host"), keyword("example"))],
    ["action:", keyword("action")],
    ["joe other:x y", keyword("joe")],
    ["a|", keyword("a")],
    ['say "hi', and(keyword("say"), keyword("hi"))],
    ["#id:a1b2", { kind: "compare", field: "id", operator: "eq", value: "a1b2" }],
  ])("%s", (text, node) => {
    expect(parse(text)).toEqual({ node });
  });

  test.each(["-joe", "-", "nope:x", "action:-a", '","', "joe date:2026-05-01..soon"])("%s finds nothing", (text) => {
    expect(parse(text)).toEqual({ node: nothing });
  });

  test.each<[string, SearchNode]>([
    ["date:2026-05-20", day(at(2026, 5, 20))],
    ["date:05/20/2026", day(at(2026, 5, 20))],
    ["date:2026-05", and(from(at(2026, 5)), before(at(2026, 6)))],
    ["date:2026", and(from(at(2026, 1)), before(at(2027, 1)))],
    ["date:today", day(at(2026, 5, 20))],
    ["date:yesterday", day(at(2026, 5, 19))],
    ["date:now", and(from(NOON), before(NOON + 3600))],
    [`date:${NOON + 1234}`, and(from(NOON), before(NOON + 3600))],
    ["date:>2026-05-20", from(at(2026, 5, 20, 1))],
    ["date:>=2026-05-20", from(at(2026, 5, 20))],
    ["date:<2026-05-20", before(at(2026, 5, 20))],
    ["date:<=2026-05-20", before(at(2026, 5, 20, 1))],
    ["date:2026-05-01..2026-05-03", and(from(at(2026, 5, 1)), before(at(2026, 5, 3, 1)))],
    ["date:2026.05.01..2026.05.03", and(from(at(2026, 5, 1)), before(at(2026, 5, 3, 1)))],
    ["date:>=2026-05-01 <2026-05-03", and(from(at(2026, 5, 1)), before(at(2026, 5, 3)))],
    ["date:today joe", and(day(at(2026, 5, 20)), keyword("joe"))],
    ["joe date:-today", and(keyword("joe"), not(day(at(2026, 5, 20))))],
    ["joe date:->today", and(keyword("joe"), not(from(at(2026, 5, 20, 1))))],
    ["date:today|2026-05-01", or(day(at(2026, 5, 20)), day(at(2026, 5, 1)))],
    ["joe date:2026-02-30", keyword("joe")],
    ["joe date:soon", keyword("joe")],
  ])("%s", (text, node) => {
    expect(parse(text)).toEqual({ node });
  });

  test.each([
    ['(action = "tag_create")', "Structured queries are not supported in the activity log."],
    ["x".repeat(10_001), "The query is too long."],
    ["x ".repeat(201), "The query has too many parts."],
  ])("%.40s is refused", (text, fault) => {
    expect(parse(text)).toEqual({ fault });
  });

  test("of any text is a condition or a refusal, quickly", async () => {
    const piece = fc.constantFrom(
      "a",
      "-",
      "+",
      ":",
      "|",
      '"',
      " ",
      "date:",
      "..",
      ">",
      "(",
      ")",
      "#id:",
      "1",
      ".",
      "'",
    );
    await fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece).map((parts) => parts.join("")),
        ),
        (text) => {
          const parsed = parse(text);
          expect("node" in parsed || parsed.fault.length > 0).toBe(true);
        },
      ),
    );
  });

  test.each(['"', "a:", "|", "-", "1.", " ", ".."])(
    "of many repetitions of %j costs no more than its length",
    (unit) => {
      expect(threadMs(() => parse(unit.repeat(10_000 / unit.length)))).toBeLessThan(500);
    },
  );
});

describe("dates", () => {
  const inZone = (zone: string, text: string) => readMoment(text, { ...context, zone });

  test("are days of the zone", () => {
    expect(inZone("America/New_York", "2026-05-20")).toEqual({
      hour: at(2026, 5, 20, 4),
      from: at(2026, 5, 20, 4),
      to: at(2026, 5, 21, 4),
    });
  });

  test("are 23 or 25 hours long when clocks change", () => {
    const spring = inZone("Europe/Berlin", "2026-03-29");
    const autumn = inZone("Europe/Berlin", "2026-10-25");
    expect((spring?.to ?? 0) - (spring?.from ?? 0)).toBe(23 * 3600);
    expect((autumn?.to ?? 0) - (autumn?.from ?? 0)).toBe(25 * 3600);
  });

  test("begin when clocks skip their midnight", () => {
    // Chile goes from 23:59:59 to 01:00.
    expect(inZone("America/Santiago", "2026-09-06")?.from).toBe(at(2026, 9, 6, 4));
  });

  test("have hours of the wall in zones with half hours", () => {
    expect(inZone("Asia/Kolkata", "now")).toEqual({ hour: NOON - 1800, from: NOON - 1800, to: NOON + 1800 });
  });

  test.each(["", "abc", "2026-13", "2026-02-30", "99999999999999999999", "13/40/2026", "-5"])("%j is none", (text) => {
    expect(readMoment(text, context)).toBeUndefined();
  });
});

test.each([
  ["Joe.Doe_x", ["joe", "doe_x"]],
  ["Café Straße", ["cafe", "strasse"]],
  ["Nancy’s", ["nancys"]],
  ["v2.5.", ["v2_5"]],
  ["fe80::1", ["fe80", "1"]],
  ["x".repeat(129), []],
])("the words of %j", (text, words) => {
  expect(wordsOf(text)).toEqual(words);
});
