import { expect, test } from "vitest";
import { parseConfig } from "../../../../engine/config.ts";
import { createExpressions } from "../../../../expressions/index.ts";
import quickmon from "../../../../testing/fixtures/agent-quickmon.json" with { type: "json" };
import { appendSample, type CompiledQuick, quickColumns, quickSample, quickValues } from "./quick.ts";

const expressions = createExpressions();
const definitions = parseConfig({}).quick_monitors;
const compiled: CompiledQuick[] = definitions.map((definition) => ({
  definition,
  read: expressions.compile(definition.source).evaluate,
  match: undefined,
}));

test("the default quick monitors read a real second", () => {
  expect(quickSample(compiled, quickmon, 100)).toEqual({
    date: 100,
    _qm_cpu_load: 1.95,
    _qm_cpu_usage: 100,
    _qm_mem_used: 2090893312,
    _qm_mem_avail: 23185608704,
    _qm_disk_read_sec: 5007860736,
    _qm_disk_write_sec: 33636265984,
    _qm_net_in_sec: 182353,
    _qm_net_out_sec: 1039528,
  });
});

test("a quick monitor that cannot be read is 0", () => {
  const sample = quickSample(compiled, { cpu: { avgLoad: "x" } }, 100);
  expect([sample["_qm_cpu_load"], sample["_qm_mem_used"]]).toEqual([0, 0]);
});

test.each([
  { text: "load 12 of 30", pattern: String.raw`(\d+) of`, value: 12 },
  { text: "12 of 30", pattern: String.raw`^\d+`, value: 12 },
  { text: "30", pattern: String.raw`load (\d+)|\d+`, value: 0 },
  { text: "30", pattern: "load", value: 0 },
])("$pattern reads $value from '$text'", ({ text, pattern, value }) => {
  const match = expressions.regexes.compile(pattern);
  const quick: CompiledQuick = { definition: { id: "own", type: "integer" }, read: () => text, match };
  expect(quickSample([quick], {}, 100)).toEqual({ date: 100, own: value });
});

test("two samples of one second are both kept and a third one is dropped", () => {
  const one = appendSample([], { date: 10 }, 5) ?? [];
  const two = appendSample(one, { date: 10 }, 5) ?? [];
  expect(two).toEqual([{ date: 10 }, { date: 11 }]);
  expect(appendSample(two, { date: 10 }, 5)).toBeUndefined();
});

test("the list keeps the newest samples up to its bound", () => {
  let samples: readonly { readonly date: number }[] = [];
  for (let date = 1; date <= 9; date++) samples = appendSample(samples, { date }, 3) ?? samples;
  expect(samples).toEqual([{ date: 7 }, { date: 8 }, { date: 9 }]);
  expect(appendSample([{ date: 1 }], { date: 2 }, 1)).toEqual([{ date: 2 }]);
});

test("values come from the newest sample, rates from the two newest", () => {
  const samples = [
    { date: 10, _qm_cpu_load: 1, _qm_net_in_sec: 1000 },
    { date: 12, _qm_cpu_load: 2.5, _qm_net_in_sec: 1501 },
  ];
  const values = quickValues(definitions, samples);
  expect(values.map(({ id }) => id)).toEqual(definitions.map(({ id }) => id));
  expect(values.filter(({ value }) => value !== 0)).toEqual([
    { id: "_qm_cpu_load", value: 2.5, date: 12 },
    { id: "_qm_net_in_sec", value: 250, date: 12 },
  ]);
});

test("a rate is 0 with one sample, and there are no values without any", () => {
  expect(quickValues(definitions, [{ date: 10, _qm_net_in_sec: 5 }]).every(({ value }) => value === 0)).toBe(true);
  expect(quickValues(definitions, [])).toEqual([]);
});

test.each([
  ["all monitors", undefined, definitions.map(({ id }) => id), [2.5, null]],
  [
    "the selected monitors, in the order of their definitions",
    ["_qm_net_in_sec", "_qm_cpu_load", "none"],
    ["_qm_cpu_load", "_qm_net_in_sec"],
    [2.5, null],
  ],
  ["no monitor of an empty list", [], [], undefined],
])("columns have %s", (_which, wanted, ids, load) => {
  const samples = [{ date: 12, _qm_cpu_load: 2.5 }];
  const { servers, monitors } = quickColumns(
    definitions,
    [
      ["a", samples],
      ["b", []],
    ],
    wanted,
  );
  expect(servers).toEqual(["a", "b"]);
  expect(Object.keys(monitors)).toEqual(ids);
  expect(monitors["_qm_cpu_load"]).toEqual(load);
});
