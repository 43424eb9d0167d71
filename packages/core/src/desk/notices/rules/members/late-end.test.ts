import { describe, expect, test } from "vitest";
import { type Play, play } from "../../../../../test/desk/notice-play.ts";
import type { NoticeHold, Standpoint } from "../../model.ts";
import type { Sight } from "../problem/facts.ts";
import { isLateEnd } from "./late-end.ts";

const snooze: NoticeHold = { kind: "snooze", id: "alert_snooze", title: "Snooze" };
const held = (by: NoticeHold): Standpoint => ({ verdict: "held", by, from: 0 });

test.each<[string, number | undefined, Standpoint | undefined, boolean]>([
  ["a snooze held for more than an hour", 99, held(snooze), true],
  ["hours held for more than an hour", 99, held({ ...snooze, kind: "hours" }), true],
  ["a snooze held for an hour", 100, held(snooze), false],
  ["is kept back by another hold", 99, held({ ...snooze, kind: "no_data" }), false],
  ["nothing held", 99, undefined, false],
  ["was told", 99, { verdict: "told", from: 0 }, false],
  ["has not come", undefined, held(snooze), false],
])("an end that %s", (_how, ended, standing, expected) => {
  expect(isLateEnd({ standing: standing ? { ops: standing } : {}, ended }, "ops", 3700)).toBe(expected);
});

const live = (members: Partial<Sight> = {}): Sight => ({ severity: "warning", ...members });
const over = (ended: number, members: Partial<Sight> = {}): Sight => live({ ended, ...members });
const told = (story: Play): string[] =>
  play({ until: 9000, ...story, timing: { group_wait: 0, repeat_interval: 0, ...story.timing } }).map(
    ({ at, kind, new: fresh, over: ends }) =>
      [`${at} ${kind}:`, ...fresh.map((id) => `+${id}`), ...ends.map((id) => `-${id}`)].join(" "),
  );
/** A firing that is reported, ends at 100, and is snoozed until the given second. */
const snoozed = (id: string, until: number): Play["events"] => [
  { at: 0, id, sight: live() },
  { at: 100, id, sight: over(100, { endHold: snooze }) },
  { at: until, id, sight: over(100) },
];

describe("an end comes", () => {
  test.each<[string, Play, string[]]>([
    ["as an all-clear after a short snooze", { events: snoozed("a", 3700) }, ["0 firing: +a", "3700 cleared: -a"]],
    ["as a digest after a long one", { events: snoozed("a", 3701) }, ["0 firing: +a", "3701 digest: -a"]],
    [
      "as an all-clear beside one that has just come",
      { events: [...snoozed("a", 5000), { at: 0, id: "b", sight: live() }, { at: 5000, id: "b", sight: over(5000) }] },
      ["0 firing: +a +b", "5000 cleared: -a -b"],
    ],
    [
      "as a digest beside continuing firings, where each is reported",
      { events: [...snoozed("a", 5000), { at: 0, id: "b", sight: live() }], timing: { clear: "each" } },
      ["0 firing: +a +b", "5000 digest: -a"],
    ],
    [
      "as an all-clear to a service that keeps a state",
      { events: snoozed("a", 5000), timing: { steps: [{ after: 0, to: ["pager"] }] } },
      ["0 firing: +a", "5000 cleared: -a"],
    ],
    [
      "as an all-clear long after its beginning, where nothing delayed it",
      {
        events: [
          { at: 0, id: "a", sight: live() },
          { at: 8000, id: "a", sight: over(8000) },
        ],
      },
      ["0 firing: +a", "8000 cleared: -a"],
    ],
  ])("%s", (_how, story, expected) => {
    expect(told(story)).toEqual(expected);
  });
});
