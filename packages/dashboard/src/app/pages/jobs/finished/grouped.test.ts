import { expect, test } from "vitest";
import { type FinishedJob, groupsOf } from "./grouped.ts";

const job = (id: string, event: string, code: unknown, completed: number): FinishedJob => ({
  ...{ id, event, code, completed },
});

test("one row per event: the worst first, then the one with more failures, then the newest", () => {
  const groups = groupsOf([
    job("j6", "calm", 0, 60),
    job("j5", "calmer", 0, 50),
    job("j4", "sick", 0, 40),
    job("j3", "sick", 1, 30),
    job("j2", "sicker", 1, 20),
    job("j1", "sicker", 1, 10),
    job("j0", "dead", "critical", 5),
  ]);
  expect(groups.map(({ event, failed, worst }) => [event, failed, worst])).toEqual([
    ["dead", 1, "crit"],
    ["sicker", 2, "fail"],
    ["sick", 1, "fail"],
    ["calm", 0, "ok"],
    ["calmer", 0, "ok"],
  ]);
});

test.each([
  ["a warning is worse than an abort", ["warning", "abort"], "warn"],
  ["an abort is worse than a good end", [0, "abort", 0], "abort"],
  ["a failure is worse than a warning", ["warning", 2], "fail"],
] as const)("%s", (_what, codes, worst) => {
  expect(groupsOf(codes.map((code, at) => job(`j${at}`, "e", code, at)))[0]?.worst).toBe(worst);
});

test("jobs keep their order, and no jobs give no group", () => {
  expect(groupsOf([job("b", "e", 0, 2), job("a", "e", 0, 1)])[0]?.jobs.map(({ id }) => id)).toEqual(["b", "a"]);
  expect(groupsOf([])).toEqual([]);
});
