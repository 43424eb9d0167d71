import { expect, test } from "vitest";
import { unclosedMacroWarning, unknownMonitorWarnings } from "./unknown-monitors.ts";

const isKnown = (id: string): boolean => id === "load_avg";

test.each([
  [["monitors.load_avg", "deltas.load_avg", "cpu.currentLoad"], []],
  [["monitors.lod_avg"], ["monitors.lod_avg"]],
  [
    ["monitors.a", "monitors.a", "deltas.b"],
    ["monitors.a", "deltas.b"],
  ],
  [["monitors", "host.monitors.a"], []],
])("of %j unknown are %j", (paths, unknown) => {
  expect(unknownMonitorWarnings(paths, isKnown)).toEqual(
    unknown.map(
      (path) =>
        `Expression: there is no monitor for ${path}, so it is nothing there. Create the monitor, or name another.`,
    ),
  );
});

test.each([
  ["plain", undefined],
  ["{{ a }} b", undefined],
  ["{{ a }} b {{ c", '"{{ c"'],
  ["a }} {{", '"{{"'],
])("in %j the macro without an end is %s", (text, unclosed) => {
  const warning = unclosed && `Message: ${unclosed} is not closed by "}}", so it stays as it is. Close it.`;
  expect(unclosedMacroWarning(text)).toBe(warning);
});
