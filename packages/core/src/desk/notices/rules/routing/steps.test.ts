import { expect, test } from "vitest";
import { type Play, play } from "../../../../../test/desk/notice-play.ts";
import type { Member, NoticeHold, ToldMark } from "../../model.ts";
import type { Sight } from "../problem/facts.ts";
import { clockOf, standStill } from "./steps.ts";

const acknowledged: NoticeHold = { kind: "acknowledgement", id: "ann", title: "" };
const mark = (first: number): ToldMark => ({ first, last: first, count: 1 });
const member = (told: Record<string, ToldMark>, members: Partial<Member> = {}): Member => ({
  ...{ invocation: "a", alert: "hot", server: "a", severity: "warning", joined: 0, standing: {} },
  ...{ told, ...members },
});

test.each<[string, Member, Partial<Member>]>([
  ["without an acknowledgement the time runs", member({ ops: mark(70) }), { taken: undefined, paused: undefined }],
  ["with an acknowledgement the time stops", member({ ops: mark(70) }, { hold: acknowledged }), { taken: 500 }],
  [
    "with an earlier acknowledgement it has stopped since then",
    member({ ops: mark(70) }, { hold: acknowledged, taken: 300 }),
    { taken: 300 },
  ],
  ["acknowledged before its notice, it has no time yet", member({}, { hold: acknowledged }), { taken: undefined }],
  [
    "after the acknowledgement is removed, the stopped time counts",
    member({ ops: mark(70) }, { taken: 300 }),
    { taken: undefined, paused: 200 },
  ],
  ["and as long as before", member({ ops: mark(70) }, { taken: 300, paused: 50 }), { paused: 250 }],
  ["a clock that goes back adds no time", member({ ops: mark(70) }, { taken: 600 }), { paused: 0 }],
])("%s", (_how, given, expected) => {
  const { taken, paused } = standStill(given, 500);
  expect({ taken, paused }).toEqual(expected);
});

test.each<[string, Member[], number | undefined]>([
  ["no notice", [member({})], undefined],
  ["the first of its notices", [member({ ops: mark(70), lead: mark(900) })], 70],
  ["the oldest firing", [member({ ops: mark(300) }), member({ ops: mark(70) })], 70],
  ["later by the stopped time", [member({ ops: mark(70) }, { paused: 200 })], 270],
  [
    "the firing with the least stopped time",
    [member({ ops: mark(70) }, { paused: 900 }), member({ ops: mark(300) })],
    300,
  ],
  ["no acknowledged firing", [member({ ops: mark(70) }, { hold: acknowledged }), member({ ops: mark(9) })], 9],
  ["no ended firing", [member({ ops: mark(70) }, { ended: 90 })], undefined],
])("steps are counted from %s", (_from, members, expected) => {
  expect(clockOf(members)).toBe(expected);
});

const steps = [
  { after: 0, to: ["ops"] },
  { after: 10, to: ["lead"] },
  { after: 30, to: ["boss"] },
];
const live = (members: Partial<Sight> = {}): Sight => ({ severity: "warning", ...members });
const taken = live({ hold: acknowledged });
const told = (events: Play["events"]): string[] =>
  play({ events, timing: { steps, group_wait: 0, repeat_interval: 0 }, until: 9000 })
    .filter(({ kind }) => kind === "escalation")
    .map(({ at, receiver }) => `${at} ${receiver}`);

test.each<[string, Play["events"], string[]]>([
  ["without an acknowledgement", [{ at: 0, id: "a", sight: live() }], ["600 lead", "1800 boss"]],
  [
    "with a removed acknowledgement, from the time at which they stopped",
    [
      { at: 0, id: "a", sight: live() },
      { at: 400, id: "a", sight: taken },
      { at: 5000, id: "a", sight: live() },
    ],
    ["5200 lead", "6400 boss"],
  ],
  [
    "with an acknowledgement given and removed twice",
    [
      { at: 0, id: "a", sight: live() },
      { at: 400, id: "a", sight: taken },
      { at: 1000, id: "a", sight: live() },
      { at: 1100, id: "a", sight: taken },
      { at: 2100, id: "a", sight: live() },
    ],
    ["2200 lead", "3400 boss"],
  ],
  [
    "with one of two firings acknowledged, by the other one",
    [
      { at: 0, id: "a", sight: live() },
      { at: 0, id: "b", sight: live() },
      { at: 100, id: "a", sight: taken },
      { at: 300, id: "a", sight: live() },
    ],
    ["600 lead", "1800 boss"],
  ],
])("steps begin %s", (_how, events, expected) => {
  expect(told(events)).toEqual(expected);
});
