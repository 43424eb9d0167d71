import { expect, test } from "vitest";
import type { Member, Problem } from "../../model.ts";
import { heardQuietly, nextQuiet } from "./marks.ts";

const member = (members: Partial<Member> = {}): Member =>
  ({ invocation: "i1", told: {}, standing: {}, free: 100, ...members }) as never;
const facts = (now: number, isQuiet = true) => ({ now, sights: new Map([["i1", { severity: "info", isQuiet }]]) });
const problem = (one: Member): Problem => ({ members: [one], sides: { r: { seq: 0 } } }) as never;
const mark = { first: 145, last: 145, count: 0 };

test.each<[string, Member, number, boolean, object, number]>([
  ["free for less than a minute", member(), 144, true, {}, 145],
  ["free for a minute", member(), 145, true, { r: mark }, Number.POSITIVE_INFINITY],
  ["held", member({ hold: { kind: "silence", id: "s", title: "" } }), 500, true, {}, Number.POSITIVE_INFINITY],
  ["ended before", member({ ended: 120 }), 500, true, {}, Number.POSITIVE_INFINITY],
  ["reported as it began", member(), 500, false, {}, Number.POSITIVE_INFINITY],
  ["counted already", member({ told: { r: mark } }), 900, true, { r: mark }, Number.POSITIVE_INFINITY],
])("a firing %s", (_what, one, now, isQuiet, told, next) => {
  const after = heardQuietly(problem(one), facts(now, isQuiet));
  expect(after.members[0]?.told).toEqual(told);
  expect(nextQuiet(after, facts(now, isQuiet))).toBe(next);
});
