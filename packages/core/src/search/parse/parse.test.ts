import { describe, expect, test } from "vitest";
import { createCalendar } from "../../lib/time/calendar.ts";
import { everything, nothing, type SearchNode } from "../ast.ts";
import { readDate } from "./dates.ts";
import { parseSearch } from "./parse.ts";
import type { SearchTable } from "./table.ts";

/** A word that is too long for any text index. */
const LONG = "a".repeat(33);
/** 2026-05-20 12:00:00 UTC */
const NOON = Date.UTC(2026, 4, 20, 12) / 1000;
const context = { now: NOON, calendar: createCalendar(), zone: "UTC" };
const log: SearchTable = {
  fields: {
    keywords: { kind: "words" },
    action: { kind: "keyword" },
    date: { kind: "hour", index: "epoch" },
    tags: { kind: "keywords" },
    user: { kind: "keyword", alphanum: true },
    num: { kind: "number" },
    due: { kind: "day" },
    body: { kind: "text", markup: "markdown" },
  },
  defaultField: "keywords",
  sorters: {},
};
const parse = (text: string, table = log, collection = {}) =>
  parseSearch(text, { table, collection, readDate: (date, unit) => readDate(date, unit, context) });
const nodeOf = (text: string, table?: SearchTable) => parse(text, table).node;
const at = (...parts: [number, number, number?, number?]): number => {
  const [year, month, day = 1, hour = 0] = parts;
  return Date.UTC(year, month - 1, day, hour) / 1000;
};

const term = (field: string, ...words: string[]): SearchNode => ({ kind: "term", field, words });
const keyword = (...words: string[]): SearchNode => term("keywords", ...words);
const action = (...words: string[]): SearchNode => term("action", ...words);
const tag = (...words: string[]): SearchNode => term("tags", ...words);
const text = (...phrases: string[]): SearchNode => ({
  kind: "text",
  field: "body",
  phrases: phrases.map((phrase) => phrase.split(" ")),
});
const and = (...nodes: SearchNode[]): SearchNode => ({ kind: "and", nodes });
const or = (...nodes: SearchNode[]): SearchNode => ({ kind: "or", nodes });
const not = (node: SearchNode): SearchNode => ({ kind: "not", node });
const compare =
  (field: string, operator: "gt" | "gte" | "lt") =>
  (value: number): SearchNode => ({ kind: "compare", field, operator, value });
const from = compare("epoch", "gte");
const before = compare("epoch", "lt");
const day = (start: number): SearchNode => and(from(start), before(start + 86_400));
const num = (low: number, high: number): SearchNode => and(compare("num", "gte")(low), compare("num", "lt")(high + 1));
const due = (low: number, high: number): SearchNode => and(compare("due", "gte")(low), compare("due", "lt")(high));
const dueBefore = (end: number): SearchNode => and(compare("due", "gt")(0), compare("due", "lt")(end));

describe("a query in the simple form", () => {
  test.each<[string, SearchNode]>([
    ["*", everything],
    ["joe", keyword("joe")],
    ["+Joe", keyword("joe")],
    ["joe t1", and(keyword("joe"), keyword("t1"))],
    ["joe|ann | bob", keyword("joe", "ann", "bob")],
    ["joe||ann", keyword("joe", "ann")],
    ["joe -ann", and(keyword("joe"), not(keyword("ann")))],
    ["joe -ann -bob", and(keyword("joe"), not(or(keyword("ann"), keyword("bob"))))],
    ["joe -ann|bob", and(keyword("joe"), not(keyword("ann", "bob")))],
    ["10.0.0.1", keyword("10_0_0_1")],
    ["'a b'|c", and(keyword("a"), keyword("b", "c"))],
    ["joe body:-a_b c", and(keyword("joe"), text("c"), not(text("a_b")))],
    ['"a b"|c', or(and(keyword("a"), keyword("b")), keyword("c"))],
    ["keywords:joe ann", and(keyword("joe"), keyword("ann"))],
    ["action:tag_create", action("tag_create")],
    ["Action : tag_create|tag_update", action("tag_create", "tag_update")],
    ["action:tag_create joe", and(action("tag_create"), keyword("joe"))],
    ["joe action:-user_login", and(keyword("joe"), not(action("user_login")))],
    ["joe -action:user_login", and(keyword("joe"), not(action("user_login")))],
    ["joe action:-a -b", and(keyword("joe"), not(or(action("a"), action("b"))))],
    ["action:a -b", and(action("a"), not(keyword("b")))],
    ["action:-a joe -b", and(keyword("joe"), not(or(action("a"), keyword("b"))))],
    ["action:>a", action("a")],
    ["tags:a b -c", and(tag("a"), tag("b"), not(tag("c")))],
    ["tags:a,b|c", or(and(tag("a"), tag("b")), tag("c"))],
    ["tags:a|", tag("a")],
    ["tags:", keyword("tags")],
    ["user:linus.t", term("user", "linus_t")],
    ["action:web-x.org", or(and(action("web"), action("x"), action("org")), action("web-x.org"))],
    ["action:Web1|b", action("web1", "b", "Web1")],
    ["body:lamps rebooting", and(text("lamp"), text("reboot"))],
    ['body:"lamp controllers"|invoice', text("lamp control", "invoic")],
    ["body:on-call", text("on call")],
    ["https://host.example/path", and(keyword("host"), keyword("example"))],
    ["-nope:x joe", and(keyword("joe"), not(and(keyword("nope"), keyword("x"))))],
    ["joe other:x y", keyword("joe")],
    ["joe 12:30 more", keyword("joe")],
    ["a|", keyword("a")],
    ['say "hi', and(keyword("say"), keyword("hi"))],
    ["OR not", and(keyword("or"), keyword("not"))],
    ["#id:a1b2", { kind: "compare", field: "id", operator: "eq", value: "a1b2" }],
    ["joe -#id:A", and(keyword("joe"), not({ kind: "compare", field: "id", operator: "eq", value: "A" }))],
  ])("%s", (query, node) => {
    expect(nodeOf(query)).toEqual(node);
  });

  test.each(["", "  ", "-joe", "-", "|", '"', "nope:x", "action:-a", '","', "joe date:2026-05-01..soon", "num:1..x 3"])(
    "%j finds nothing",
    (query) => {
      expect(nodeOf(query)).toEqual(nothing);
    },
  );

  test.each<[string, SearchNode]>([
    ["num:5", num(5, 5)],
    ["num:1,500", num(1500, 1500)],
    ["num:#5.7", num(5, 5)],
    ["num:>5", compare("num", "gte")(6)],
    ["num:>=5", compare("num", "gte")(5)],
    ["num:<5", compare("num", "lt")(5)],
    ["num:<=5", compare("num", "lt")(6)],
    ["num:>-5", compare("num", "gte")(-4)],
    ["num:2..4", num(2, 4)],
    ["num:>=3 <5", and(compare("num", "gte")(3), compare("num", "lt")(5))],
    ["num:1|3|>13", or(num(1, 1), num(3, 3), compare("num", "gte")(14))],
    ["joe num:-5", and(keyword("joe"), not(num(5, 5)))],
    ["joe num:->5", and(keyword("joe"), not(compare("num", "gte")(6)))],
    ["joe num:-2..4", and(keyword("joe"), not(num(2, 4)))],
    ["num:>0 -lamp", and(compare("num", "gte")(1), not(keyword("lamp")))],
    ["joe num:abc", keyword("joe")],
    ["joe num:99999999999999999999", keyword("joe")],
  ])("%s", (query, node) => {
    expect(nodeOf(query)).toEqual(node);
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
    ["due:today", due(at(2026, 5, 20), at(2026, 5, 21))],
    ["due:now", due(at(2026, 5, 20), at(2026, 5, 21))],
    ["due:2026/05", due(at(2026, 5), at(2026, 6))],
    ["due:>2026/05", compare("due", "gte")(at(2026, 5, 2))],
    ["due:<today", dueBefore(at(2026, 5, 20))],
    ["due:<=today", dueBefore(at(2026, 5, 21))],
    ["due:2026/05..2026/06", due(at(2026, 5), at(2026, 6, 2))],
    [`due:${NOON}`, due(at(2026, 5, 20), at(2026, 5, 21))],
    ["due:<today memory", and(dueBefore(at(2026, 5, 20)), keyword("memory"))],
  ])("%s", (query, node) => {
    expect(nodeOf(query)).toEqual(node);
  });
});

describe("a table", () => {
  test("a table whose default field contains no text keeps every part on the field written last", () => {
    const jobs: SearchTable = {
      fields: { code: { kind: "keyword" }, event: { kind: "keyword" }, date: { kind: "hour" } },
      defaultField: "code",
      sorters: {},
    };
    expect(nodeOf("5 event:e1 e2", jobs)).toEqual(and(term("code", "5"), term("event", "e1"), term("event", "e2")));
    expect(parse("event:e1 date:today soon", jobs).dropped).toBeDefined();
  });

  test("a table without a default field ignores leading parts that name none", () => {
    const alerts: SearchTable = { fields: { alert: { kind: "keyword" } }, sorters: {} };
    expect(parse("lost alert:a1 a2", alerts)).toEqual({
      node: and(term("alert", "a1"), term("alert", "a2")),
      dropped: "Not understood: lost",
    });
  });

  test("a table with plain words declared as text keeps their order", () => {
    const collection = { text: { keywords: () => [] } };
    expect(parse('"Intel Xeon"', log, collection).node).toEqual({
      kind: "text",
      field: "keywords",
      phrases: [["intel", "xeon"]],
    });
  });
});

describe("a query in the structured form", () => {
  test.each<[string, SearchNode]>([
    ['(action = "a")', action("a")],
    ['( (action == "a") )', action("a")],
    ['(action = "a" & tags =~ "b")', and(action("a"), tag("b"))],
    ['(action = "a" || tags = "b" || num = 3)', or(action("a"), tag("b"), num(3, 3))],
    ['(action = "a" && tags !~ "b")', and(action("a"), not(tag("b")))],
    ['(action = "a" | num = 3 | tags !~ "b")', and(or(action("a"), num(3, 3)), not(tag("b")))],
    ['(action = "a" & (tags = "b" | tags = "c"))', and(action("a"), or(tag("b"), tag("c")))],
    ['(action !~ "a")', nothing],
    ['(action = "a" & (tags !~ "b"))', and(action("a"), nothing)],
    ['(action = "a"\n  & body = ",")', action("a")],
    ['(num >= -3 & due < "today")', and(compare("num", "gte")(-3), dueBefore(at(2026, 5, 20)))],
    ['(action > "a")', action("a")],
    ['(body = "lamp \\"controllers\\"")', text("lamp control")],
  ])("%s", (query, node) => {
    expect(nodeOf(query)).toEqual(node);
  });

  test.each([
    ["()", "Expected the name of a field at character 2"],
    ["(status = open)", "Expected a text in double quotes or a number at character 10"],
    ["(action = 'a')", "Expected a text in double quotes or a number at character 10"],
    ["(action)", "Expected an operator at character 8"],
    ['(bogus = "x")', "Unknown field: bogus"],
    ['(action = "a" & tags = "b" | num = 1)', "A group cannot mix & and |"],
    ['(action = "a") | (tags = "b")', "Expected the end of the query at character 15"],
    ['(action = "\\q")', 'Not a JSON text: "\\q"'],
    [`${"(".repeat(40)}num = 1${")".repeat(40)}`, "The query is nested too deeply"],
  ])("%s is refused", (query, reason) => {
    expect(() => parse(query)).toThrow(reason);
  });
});

describe("the list of ignored parts", () => {
  test.each([
    ["joe nope:x", "Not understood: nope x"],
    ["joe num:abc", "Not understood: num abc"],
    ["joe ,", "Not understood: keywords ,"],
    ["joe num:1|abc", "Not understood: num 1 | abc"],
    ["num:1..x", "Not a range: 1..x"],
    ['(num = "abc" & action = "a")', "Not understood: num abc"],
    ["", "The query is empty"],
    [`body:"lamp ${LONG}"`, `Not understood: body lamp ${LONG}`],
    [`body:lamp-${LONG}|b`, `Not understood: body lamp-${LONG} | b`],
    [`(body = "lamp ${LONG}")`, `Not understood: body lamp ${LONG}`],
    [`tags:a.${"b".repeat(256)}`, `Not understood: tags a.${"b".repeat(256)}`],
  ])("%j is reported", (query, dropped) => {
    expect(parse(query).dropped).toBe(dropped);
  });

  test.each(["*", "joe -ann", '(action = "a")'])("no part of %s is ignored", (query) => {
    expect(parse(query).dropped).toBeUndefined();
  });
});
