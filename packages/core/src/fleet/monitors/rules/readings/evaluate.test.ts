import { expect, test } from "vitest";
import { createExpressions } from "../../../../expressions/index.ts";
import firstMinute from "../../../../testing/fixtures/agent-monitor-first.json" with { type: "json" };
import latest from "../../../../testing/fixtures/latest-monitor-data.json" with { type: "json" };
import type { Monitor } from "../../model.ts";
import { newMonitor } from "../definition.ts";
import { defaultMonitors } from "../presets.ts";
import { isWhole, parserOf } from "./coerce.ts";
import { type CompiledMonitor, evaluateMonitors, isInScope, type MinuteInput } from "./evaluate.ts";

const expressions = createExpressions();
const compile = (monitor: Monitor): CompiledMonitor => ({
  monitor,
  read: expressions.compile(monitor.source).evaluate,
  match: monitor.data_match ? expressions.regexes.compile(monitor.data_match) : undefined,
  parse: parserOf(monitor.data_type),
  whole: isWhole(monitor.data_type),
});
const define = (id: string, source: string, members: Partial<Monitor> = {}): CompiledMonitor =>
  compile(
    newMonitor(
      { id, title: id, source, data_type: "float", ...members },
      { id, username: "test", now: 1, sortOrder: 0 },
    ),
  );
const input = (data: Record<string, unknown>, members: Partial<MinuteInput> = {}): MinuteInput => ({
  data,
  date: 120,
  groups: ["main"],
  previous: undefined,
  isOver: () => false,
  ...members,
});
const presets = defaultMonitors(1).map(compile);

test("the default monitors read a real first minute as the peer stored it", () => {
  const { monitors, deltas, missing } = evaluateMonitors(presets, input(firstMinute.data));
  expect(monitors).toEqual({
    ...latest.rows[0]?.totals,
    cpu_usage: monitors["cpu_usage"],
    io_wait: monitors["io_wait"],
  });
  expect(deltas).toEqual({
    disk_read_sec: 0,
    disk_write_sec: 0,
    disk_iops_sec: 0,
    os_bytes_in_sec: 0,
    os_bytes_out_sec: 0,
  });
  expect(missing).toEqual([]);
});

test("the default monitors read a real later minute, rates included, as the peer stored it", () => {
  const { data, date } = latest.data;
  const { monitors: _monitors, deltas: _deltas, ...sample } = data;
  const before = latest.rows.at(-2);
  const previous = { date: date - 61, monitors: before?.totals ?? {} };
  const readings = evaluateMonitors(presets, input(sample, { date, previous }));
  expect(readings.monitors).toEqual(data.monitors);
  expect(readings.deltas["disk_iops_sec"]).toBe(data.deltas.disk_iops_sec);
  expect(readings.deltas["disk_read_sec"]).toBe(data.deltas.disk_read_sec);
  expect(readings.deltas["os_bytes_out_sec"]).toBe(data.deltas.os_bytes_out_sec);
});

test.each([
  ["a source that throws", define("x", "nope[0]"), {}],
  ["a source that returns nothing", define("x", "nope.x"), {}],
  ["a source that returns null", define("x", "a"), { a: null }],
  ["a pattern that does not match", define("x", "a", { data_match: "\\d+" }), { a: "none" }],
])("%s reads 0 and is listed as missing", (_fact, monitor, data) => {
  const { monitors, missing } = evaluateMonitors([monitor], input(data));
  expect({ monitors, missing }).toEqual({ monitors: { x: 0 }, missing: ["x"] });
});

test.each([
  ["the first group of a pattern", "(\\d+)\\D+(\\d+)", 12],
  ["the whole match of a pattern without groups", "\\d+$", 34],
])("%s is the value", (_fact, data_match, expected) => {
  const { monitors } = evaluateMonitors([define("x", "a", { data_match })], input({ a: "12 of 34" }));
  expect(monitors).toEqual({ x: expected });
});

test("multiply takes precedence over divide, and both come after coercion", () => {
  const both = define("x", "a", { data_type: "integer", multiply: 2, divide: 10 });
  const divided = define("y", "a", { data_type: "integer", divide: 10 });
  expect(evaluateMonitors([both, divided], input({ a: "25.9" })).monitors).toEqual({ x: 50, y: 2.5 });
});

test("a later source gets the values of earlier monitors", () => {
  const list = [define("x", "a"), define("y", "monitors.x * 2")];
  expect(evaluateMonitors(list, input({ a: 4 })).monitors).toEqual({ x: 4, y: 8 });
});

test("short names stand for members that the agent did not send, and never hide sent ones", () => {
  const list = [define("m", "mem.used"), define("d", "disk.root.use"), define("n", "net.conns")];
  const data = {
    memory: { used: 7 },
    mounts: { root: { use: 8 } },
    stats: { network: { conns: 9 } },
    net: { conns: 1 },
  };
  expect(evaluateMonitors(list, input(data)).monitors).toEqual({ m: 7, d: 8, n: 1 });
});

test("disabled monitors and monitors of other groups have no value", () => {
  const list = [
    define("x", "a", { enabled: false }),
    define("y", "a", { groups: ["db"] }),
    define("z", "a", { groups: ["main"] }),
  ];
  expect(evaluateMonitors(list, input({ a: 1 })).monitors).toEqual({ z: 1 });
});

test("monitors that remain when the time is used up are missing", () => {
  let asked = 0;
  const list = [define("x", "a"), define("y", "a")];
  const { monitors, missing } = evaluateMonitors(list, input({ a: 1 }, { isOver: () => ++asked > 1 }));
  expect({ monitors, missing }).toEqual({ monitors: { x: 1, y: 0 }, missing: ["y"] });
});

test.each([
  [[], ["a"], true],
  [["a"], ["a", "b"], true],
  [["c"], ["a", "b"], false],
  [["c"], [], false],
])("scope %j over groups %j is %s", (scope, groups, expected) => {
  expect(isInScope(scope, groups)).toBe(expected);
});
