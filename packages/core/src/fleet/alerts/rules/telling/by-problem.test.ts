import { expect, test } from "vitest";
import type { Action } from "../../../../wire/entries/actions-and-limits.ts";
import type { Invocation } from "../../model.ts";
import { actionTargets, type Grouping, isByProblem, targetId, toldAlone, withNoticeResult } from "./by-problem.ts";

const act = (type: string, members: Record<string, unknown> = {}): Action => ({
  ...{ enabled: true, condition: "alert_new", type },
  ...members,
});
const fresh: Grouping = { isOn: true, hooksPerSubject: false };
const old: Grouping = { isOn: true, hooksPerSubject: true };
const off: Grouping = { isOn: false, hooksPerSubject: false };

test.each<[string, unknown, Grouping, boolean]>([
  ["email", undefined, fresh, true],
  ["email", "", fresh, true],
  ["email", "subject", fresh, false],
  ["email", undefined, old, true],
  ["email", "problem", off, false],
  ["channel", undefined, fresh, true],
  ["channel", "subject", old, false],
  ["web_hook", undefined, fresh, true],
  ["web_hook", undefined, old, false],
  ["web_hook", "problem", old, true],
  ["web_hook", "subject", fresh, false],
  ["run_event", undefined, fresh, false],
  ["snapshot", undefined, fresh, false],
  ["plugin", undefined, fresh, false],
  ["ticket", undefined, fresh, false],
  ["acme.page", undefined, fresh, false],
])("%s with per %s under %j notifies by problem: %s", (type, per, grouping, expected) => {
  expect(isByProblem(act(type, { per }), grouping)).toBe(expected);
});

test.each<[string, Action, Action, boolean]>([
  [
    "letters, order and repetition of addresses",
    act("email", { email: "B@x.org, a@x.org,b@x.org" }),
    act("email", { email: "a@x.org,b@x.org", users: [] }),
    true,
  ],
  ["other users", act("email", { users: ["mia"] }), act("email", { users: ["tom"] }), false],
  ["the text of the mail", act("email", { email: "a@x.org", body: "1" }), act("email", { email: "a@x.org" }), true],
  [
    "the condition",
    act("channel", { channel_id: "ops" }),
    act("channel", { channel_id: "ops", condition: "alert_cleared" }),
    true,
  ],
  [
    "a channel and a hook of one name",
    act("channel", { channel_id: "ops" }),
    act("web_hook", { web_hook: "ops" }),
    false,
  ],
])("%s: the same target", (_what, one, other, expected) => {
  expect(targetId(one) === targetId(other)).toBe(expected);
  expect(targetId(one)).toMatch(/^ac[0-9a-f]{16}$/);
});

test("a target has the first action of the firing, and the first action of the end", () => {
  const [hook, first, second] = [
    act("web_hook", { web_hook: "h" }),
    act("email", { email: "a@x" }),
    act("email", { email: "A@x" }),
  ];
  const end = act("channel", { channel_id: "ops", condition: "alert_cleared" });
  expect(actionTargets([hook, first, second], [end], old)).toEqual([
    { id: targetId(first), fires: first, ends: undefined },
    { id: targetId(end), fires: undefined, ends: end },
  ]);
});

const invocation = (actions: Action[]): Invocation => ({ id: "i1", date: 100, fired: 160, actions }) as never;
const mail = act("email", { email: "a@x" });

test.each<[string, Action[], ReturnType<typeof toldAlone>]>([
  ["nothing", [], undefined],
  ["a result", [{ ...mail, code: 0, date: 170.4 }], { first: 170, last: 170, count: 1 }],
  ["a pending one", [mail], { first: 160, last: 160, count: 1 }],
  ["an interrupted one", [{ ...mail, code: "timeout", date: 170 }], { first: 170, last: 170, count: 1 }],
  ["one that failed", [{ ...mail, code: "email", date: 170 }], undefined],
  [
    "repetitions",
    [
      { ...mail, code: 0, date: 170 },
      { ...mail, code: 0, date: 500, round: 1 },
    ],
    { first: 170, last: 500, count: 2 },
  ],
  ["an end", [{ ...mail, code: 0, date: 170, condition: "alert_cleared" }], undefined],
  ["a notice", [{ ...mail, code: 0, date: 170, notice: "no1" }], undefined],
  ["another target", [act("email", { email: "b@x", code: 0, date: 170 })], undefined],
  ["another type", [act("snapshot", { code: 0, date: 170 })], undefined],
])("%s, notified for its server alone, counts", (_what, actions, expected) => {
  expect(toldAlone(invocation(actions), targetId(mail))).toEqual(expected);
});

test("the result of a notice is listed among the actions, each repetition with its number", () => {
  const note =
    (notice: string, condition: "alert_new" | "alert_cleared", code = 0) =>
    (before: Invocation) =>
      withNoticeResult(before, { action: { ...mail, code }, notice, condition });
  const snapshot = act("snapshot", { code: 0 });
  const steps = [
    note("n1", "alert_new", 5),
    note("n1", "alert_new"),
    note("n2", "alert_new"),
    note("n3", "alert_cleared"),
  ];
  const after = steps.reduce((before, step) => step(before), invocation([snapshot]));
  expect(
    after.actions?.map(({ type, condition, notice, round, code }) => [type, condition, notice, round, code]),
  ).toEqual([
    ["snapshot", "alert_new", undefined, undefined, 0],
    ["email", "alert_new", "n1", undefined, 0],
    ["email", "alert_new", "n2", 1, 0],
    ["email", "alert_cleared", "n3", undefined, 0],
  ]);
});

test("the first and the last of many repetitions are kept", () => {
  let known = invocation([]);
  for (let at = 0; at < 30; at++)
    known = withNoticeResult(known, { action: { ...mail, code: 0 }, notice: `n${at}`, condition: "alert_new" });
  expect(known.actions?.map(({ notice }) => notice)).toEqual([
    "n0",
    ...Array.from({ length: 10 }, (_each, at) => `n${at + 20}`),
  ]);
  expect(known.actions?.at(-1)?.["round"]).toBe(29);
});
