import { expect, test } from "vitest";
import type { Member, Problem } from "../../model.ts";
import { withFailed, withoutNotice } from "./marks.ts";

const told = { first: 10, last: 10, count: 1 };
const member = (invocation: string): Member => ({
  ...{ invocation, alert: "hot", server: "s1", severity: "warning", joined: 1 },
  ...{ told: { ops: told, lead: told }, standing: {} },
});
const problem: Problem = {
  ...{ id: "pg1", route: "rt1", key: "", severity: "warning", opened: 1, closed: null, due: null, steps: 1 },
  ...{ members: [member("a"), member("b")], sides: { ops: { seq: 1, last: 10 } } },
};
const notice = { id: "no1", receiver: "ops", new: ["a"], repeated: ["b"], over: [] };

test("a notice that was never sent counts as reported to no one", () => {
  const { members } = withoutNotice(problem, notice);
  expect(members.map((each) => Object.keys(each.told))).toEqual([["lead"], ["ops", "lead"]]);
});

test("new firings of a failed notice count as unreported", () => {
  const failed = withFailed(problem, { ...notice, date: 60 }, 90);
  expect(failed.members[0]?.told["ops"]).toEqual({ first: 60, last: 90, count: 0, failed: true });
  expect(failed.members[0]?.standing["ops"]).toMatchObject({ verdict: "failed", notice: "no1" });
  expect(failed.members[1]).toEqual(problem.members[1]);
  expect(failed.due).toBe(90);
});
