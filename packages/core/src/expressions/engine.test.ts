import { describe, expect, test } from "vitest";
import { createExpressions } from "./engine.ts";

const expressions = createExpressions();
const evaluate = (source: string, data: unknown = {}): unknown => expressions.compile(source).evaluate(data);

const data = {
  cpu: { currentLoad: 64, cores: 2 },
  load: [3.95, 2.71],
  memory: { total: 200, available: 50 },
  mounts: { root: { use: 32.21 } },
  stats: { network: { rx_bytes: 12 } },
  conns: [{ state: "LISTEN" }, { state: "ESTABLISHED" }, { state: "LISTEN" }],
  processes: {
    list: [
      { command: "ffmpeg -i", memRss: 7 },
      { command: "ffmpeg", memRss: 9 },
    ],
  },
  commands: { my_plugin: "2500 rows", "my-plugin": 1 },
  monitors: { load_avg: 3 },
  deltas: { os_bytes_out_sec: 33554432 },
  nothing: null,
  empty: [],
};

describe("grammar", () => {
  test.each<[string, unknown]>([
    ["2^3^2", 64],
    ["7 // 2", 3],
    ["-7 // 2", -4],
    ["7 % 4", 3],
    ["1 + 2 * 3", 7],
    ['1 + "2"', "12"],
    ['"5" == 5', true],
    ["1 || 0 && 0", 0],
    ["1 ? 2 : 3 ? 4 : 5", 2],
    ["0 ?: 3", 3],
    ["2 ?: 3", 2],
    ["min(-1, 1)", -1],
    ["(count('ab')) ? 1 : 2", 1],
    ['"a\\"b"', 'a"b'],
    ["{a: 1, b: [2]}", { a: 1, b: [2] }],
    ["-7 + 1", -6],
    ["1 / 0", Number.POSITIVE_INFINITY],
    ["[] ? 1 : 2", 1],
    ['"5" in [5]', false],
    ['"b" in "abc"', true],
    ['"a" in {a: 1}', false],
    ['"10" < "9"', true],
  ])("%s is %j", (source, expected) => {
    expect(evaluate(source)).toEqual(expected);
  });

  test.each([
    "-n",
    "(-n)",
    "min(1, -1)",
    "a === 1",
    "a = 1",
    "a & b",
    "a; b",
    "1e3",
    "f(x) ? 1 : 2",
    "(a)[0]",
    "[1,2][0]",
    "constructor",
    "toString()",
    "a.valueOf",
    "hasOwnProperty == 1",
    "__proto__",
    "{__proto__: 1}",
    "a +",
  ])("%s is a syntax error", (source) => {
    expect(() => expressions.compile(source)).toThrow();
  });

  test.each(["", "  ", "\n"])("the blank source %j is a compile error", (source) => {
    expect(() => expressions.compile(source)).toThrow("Expression is empty");
  });

  test("a missing function fails at run time, by name", () => {
    expect(() => evaluate("1 && f(1)")).toThrow(new Error("Jexl Function f is not defined."));
    expect(evaluate("0 && f(1)")).toBe(0);
  });

  test("methods cannot be called", () => {
    expect(() => evaluate("s.toUpperCase()", { s: "a" })).toThrow("Jexl Function toUpperCase is not defined.");
  });

  test("transforms do not exist", () => {
    expect(() => evaluate("a|lower")).toThrow("Transform lower is not defined.");
  });
});

describe("dialect", () => {
  test.each<[string, unknown]>([
    ["cpu.currentLoad", 64],
    ["load[0]", 3.95],
    ["mounts.root.use", 32.21],
    ["100 - memory.available / memory.total * 100", 75],
    ["stats && stats.network ? stats.network.rx_bytes : 0", 12],
    ["processes.list[.command == 'ffmpeg'].memRss", 9],
    ["find(processes.list, 'command', 'ffmpeg').memRss", 7],
    ["count(conns[.state == 'LISTEN'])", 2],
    ["integer(commands.my_plugin) / 1000", 2.5],
    ["monitors.load_avg >= (cpu.cores + 1)", true],
    ["deltas.os_bytes_out_sec >= 33554432", true],
    ["nope.x", undefined],
    ["nothing.x", undefined],
    ["null", undefined],
    ["load[9]", undefined],
    ["load[0 - 1]", undefined],
    ['load["length"]', 2],
    ["conns.state", "LISTEN"],
    ["conns.length", undefined],
    ["processes.list[.command == 'none'][0].memRss", undefined],
    ['commands["my-plugin"]', 1],
    ["cpu[true].cores", 2],
    ["cpu[false]", undefined],
    ["nope[.x == 1]", []],
    ["cpu[.cores == 2][0].cores", 2],
    ["nope + 1", Number.NaN],
    ["nope > 1", false],
    ["nope != 1", true],
    ["nothing == nope", true],
    ["!cpu.cores", false],
    ["commands.my_plugin.length", 9],
    ["commands.my_plugin[0]", "2"],
  ])("%s is %j", (source, expected) => {
    expect(evaluate(source, data)).toEqual(expected);
  });

  test.each([
    "nope[0]",
    "nothing['x']",
    "processes.list[.command == 'none'].memRss",
    "empty.x",
    "find(nope, 'a', 'b')",
    "match('a', '(')",
  ])("%s throws", (source) => {
    expect(() => evaluate(source, data)).toThrow();
  });

  test("errors about members repeat the source, never a computed key", () => {
    expect(() => evaluate("nope[0]")).toThrow(new TypeError("Cannot read properties of undefined (reading '0')"));
    expect(() => evaluate("nope[secret]", { secret: "hunter2" })).toThrow(
      new TypeError("Cannot read properties of undefined"),
    );
  });

  test.each([undefined, null, 5, "text", true])("the context %j counts as an empty record", (context) => {
    expect(evaluate("cpu.cores", context)).toBeUndefined();
  });

  test("long chains of alternatives work", () => {
    const source = Array.from({ length: 500 }, (_, index) => `a == ${index}`).join(" || ");
    expect(evaluate(source, { a: 499 })).toBe(true);
    expect(evaluate(source, { a: 500 })).toBe(false);
  });
});

describe("own members only", () => {
  const host = {
    text: "abc",
    list: [1, 2],
    record: { a: 1 },
    call: () => 1,
    nested: Object.create({ inherited: 1, state: 2 }) as object,
    date: new Date(0),
    named: Object.assign([1], { extra: 2 }),
    bare: Object.assign(Object.create(null) as object, { state: 3 }),
    parsed: JSON.parse('{"__proto__": {"state": 1}, "toString": 5}') as object,
  };

  test.each([
    'text["constructor"]',
    "text.trim",
    'list["map"]',
    "list[.push]",
    'record["__proto__"]',
    'record["constructor"]',
    "record.hasOwn",
    "call",
    "call.name",
    "nested.inherited",
    'nested["inherited"]',
    "nested.state",
    "nested[.state == 2][0]",
    "date.getTime",
    'named["extra"]',
    "parsed.state",
    "cpu.constructorName",
  ])("%s reads nothing", (source) => {
    const value = evaluate(source, host);
    expect(Array.isArray(value) ? value : [value ?? undefined].filter(Boolean)).toEqual([]);
  });

  test("an unreadable value has no members either", () => {
    expect(() => evaluate('text["constructor"]["constructor"]', host)).toThrow(TypeError);
    expect(() => evaluate('call["constructor"]', host)).toThrow(TypeError);
  });

  test("own members with inherited names are readable by index", () => {
    expect(evaluate('record["constructor"]', { record: { constructor: 7 } })).toBe(7);
    expect(evaluate('parsed["toString"]', host)).toBe(5);
  });

  test("records without a prototype are readable", () => {
    expect(evaluate("bare.state", host)).toBe(3);
  });

  test("members of the root record that are inherited are unreadable too", () => {
    expect(evaluate("cpu", Object.create({ cpu: 1 }))).toBeUndefined();
    expect(evaluate("other", Object.create({ other: 1 }))).toBeUndefined();
  });

  test("functions of the host never become values", () => {
    const own = createExpressions({ functions: { leak: () => () => 1 } });
    expect(own.compile("leak()").evaluate({})).toBeUndefined();
  });
});

describe("host functions", () => {
  test("they are callable and listed", () => {
    const own = createExpressions({ functions: { double: (value) => Number(value) * 2 } });
    expect(own.compile("double(a)").evaluate({ a: 4 })).toBe(8);
    expect(own.functionNames).toContain("double");
    expect(own.functionNames).toContain("int");
  });

  test.each(["count", "toString", "a-b", "in"])("the name %s is refused", (name) => {
    expect(() => createExpressions({ functions: { [name]: () => 1 } })).toThrow(name);
  });

  test("an evaluation inside a function does not affect the budget of the outer one", () => {
    const own = createExpressions({
      functions: { inner: () => own.compile("count(list[.a > 0])").evaluate({ list: Array(900).fill({ a: 1 }) }) },
    });
    const list = Array.from({ length: 200 }, () => ({ a: 1 }));
    expect(own.compile("inner()").evaluate({})).toBe(900);
    expect(() => own.compile("count(list[.a > 0 && inner() > 0])").evaluate({ list })).toThrow(
      "Expression exceeds evaluation limit",
    );
  });
});
