import { expect, test } from "vitest";
import { createExpressions } from "./engine.ts";

const { pathsOf } = createExpressions();

test.each([
  ["1 + 1", []],
  ["monitors.load > cpu.cores + 1 && monitors.load < 9", ["monitors.load", "cpu.cores"]],
  ['mounts["/data"].use >= 90', ['mounts["/data"].use']],
  ['mounts["root"].use >= 90', ["mounts.root.use"]],
  ["load[0] > 1", ["load[0]"]],
  ["count(processes.list[.cpu > limits.cpu]) > 3", ["processes.list", "limits.cpu"]],
  ["processes.list[.cpu > 5].name == 'x'", ["processes.list"]],
  ["!('x' in missing) ? a : [b.c, {d: e}]", ["missing", "a", "b.c", "e"]],
  ["mounts[which].use", ["mounts", "which"]],
  ["min(a, b)", ["a", "b"]],
])("%s reads its paths", (source, paths) => {
  expect(pathsOf(source)).toEqual(paths);
});

test("many paths are cut, and a malformed expression is refused", () => {
  expect(pathsOf(Array.from({ length: 60 }, (_each, n) => `v${n}`).join(" + "))).toHaveLength(50);
  expect(() => pathsOf("1 +")).toThrow();
});
