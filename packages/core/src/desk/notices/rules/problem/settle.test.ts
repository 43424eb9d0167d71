import { describe, expect, test } from "vitest";
import { ended, live, type Play, play, TIMING, told } from "../../../../../test/desk/notice-play.ts";
import type { NoticeHold, Problem } from "../../model.ts";
import { settle } from "./settle.ts";

const silenced: NoticeHold = { kind: "silence", id: "q1", title: "Works" };
const acknowledged: NoticeHold = { kind: "acknowledgement", id: "ann", title: "" };

test("a firing that outlives a silence stores when the silence ended", () => {
  const seen: unknown[] = [];
  const late = (problem: Problem) => void seen.push(problem.members[0]?.late?.until);
  const events = [
    { at: 0, id: "a", sight: live({ hold: acknowledged, also: [{ ...silenced, until: 500 }] }) },
    { at: 100, id: "a", sight: live({ hold: { ...silenced, until: 500 } }) },
    { at: 200, id: "a", sight: live() },
  ];
  play({ events, until: 300, seen: late });
  expect(new Set(seen)).toEqual(new Set([undefined, 200]));
});

const thirty = Array.from({ length: 30 }, (_each, at) => `s${at}`);

describe("grouping", () => {
  test("thirty servers within a minute give one notice and one end", () => {
    const story = {
      until: 700,
      events: thirty.flatMap((id, at) => [
        { at: at * 2, id, sight: live() },
        { at: 300 + at, id, sight: ended(300 + at) },
      ]),
    };
    const lines = told(story);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toBe(`70 firing to ops: ${thirty.map((id) => `+${id}`).join(" ")}`);
    expect(lines[1]).toBe(`399 cleared to ops: ${thirty.map((id) => `-${id}`).join(" ")}`);
  });

  test.each<[string, Play, string[]]>([
    [
      "without a wait at once",
      { events: [{ at: 5, id: "a", sight: live() }], timing: { group_wait: 0 } },
      ["5 firing to ops: +a"],
    ],
    [
      "a later one after the interval, as an update",
      {
        events: [
          { at: 0, id: "a", sight: live() },
          { at: 100, id: "b", sight: live() },
        ],
        until: 500,
      },
      ["70 firing to ops: +a", "370 update to ops: +b"],
    ],
    [
      "repeats by the interval, to the second; repetitions that are due soon join",
      {
        events: [
          { at: 0, id: "a", sight: live() },
          { at: 10, id: "b", sight: live() },
          { at: 100, id: "c", sight: live() },
        ],
        timing: { repeat_interval: 1000 },
        until: 2200,
      },
      [
        "70 firing to ops: +a +b",
        "370 update to ops: +c",
        "1070 repeat to ops: *a *b *c",
        "2070 repeat to ops: *a *b *c",
      ],
    ],
    [
      "an end before the notice is reported to no one",
      {
        events: [
          { at: 0, id: "a", sight: live() },
          { at: 50, id: "a", sight: ended(50) },
        ],
        until: 900,
      },
      [],
    ],
    [
      "ends are listed in other notices, and one all-clear reports the rest",
      {
        events: [
          ...[
            { at: 0, id: "a", sight: live() },
            { at: 1, id: "b", sight: live() },
          ],
          ...[
            { at: 200, id: "a", sight: ended(200) },
            { at: 250, id: "c", sight: live() },
          ],
          ...[
            { at: 500, id: "b", sight: ended(500) },
            { at: 500, id: "c", sight: ended(500) },
          ],
        ],
        until: 900,
      },
      ["70 firing to ops: +a +b", "370 update to ops: +c -a", "570 cleared to ops: -b -c"],
    ],
    [
      "clear each reports each end, not faster than the interval",
      {
        events: [
          ...[
            { at: 0, id: "a", sight: live() },
            { at: 1, id: "b", sight: live() },
            { at: 2, id: "c", sight: live() },
          ],
          ...[
            { at: 400, id: "a", sight: ended(400) },
            { at: 480, id: "b", sight: ended(480) },
          ],
        ],
        timing: { clear: "each" },
        until: 900,
      },
      ["70 firing to ops: +a +b +c", "470 update to ops: -a", "770 update to ops: -b"],
    ],
    [
      "clear none reports no end",
      {
        events: [
          { at: 0, id: "a", sight: live() },
          { at: 400, id: "a", sight: ended(400) },
        ],
        timing: { clear: "none" },
        until: 900,
      },
      ["70 firing to ops: +a"],
    ],
  ])("%s", (_name, story, expected) => {
    expect(told(story)).toEqual(expected);
  });
});

describe("holds", () => {
  test.each<[string, Play, string[]]>([
    [
      "a silence that ends is followed by the notice",
      {
        events: [
          { at: 0, id: "a", sight: live({ hold: silenced }) },
          { at: 500, id: "a", sight: live() },
        ],
        until: 900,
      },
      ["570 firing to ops: +a"],
    ],
    [
      "an end under a silence is reported to no one",
      {
        events: [
          { at: 0, id: "a", sight: live({ hold: silenced }) },
          { at: 500, id: "a", sight: ended(500) },
        ],
        until: 900,
      },
      [],
    ],
    [
      "a notified receiver is notified of the end under a silence",
      {
        events: [
          ...[
            { at: 0, id: "a", sight: live() },
            { at: 100, id: "a", sight: live({ hold: silenced }) },
          ],
          { at: 200, id: "a", sight: ended(200) },
        ],
        until: 900,
      },
      ["70 firing to ops: +a", "270 cleared to ops: -a"],
    ],
    [
      "an acknowledged firing is not repeated, and its end is not reported",
      {
        events: [
          ...[
            { at: 0, id: "a", sight: live() },
            { at: 100, id: "a", sight: live({ hold: acknowledged }) },
          ],
          { at: 3000, id: "a", sight: ended(3000, { endsUntold: acknowledged }) },
        ],
        timing: { repeat_interval: 1000 },
        until: 4000,
      },
      ["70 firing to ops: +a"],
    ],
    [
      "a snooze delays the end",
      {
        events: [
          ...[
            { at: 0, id: "a", sight: live() },
            { at: 100, id: "a", sight: ended(100, { endHold: silenced }) },
          ],
          { at: 700, id: "a", sight: ended(100) },
        ],
        until: 1000,
      },
      ["70 firing to ops: +a", "700 cleared to ops: -a"],
    ],
    [
      "a silent server is no all-clear",
      {
        events: [
          ...[
            { at: 0, id: "a", sight: live() },
            { at: 100, id: "a", sight: ended(100, { isQuestion: true }) },
          ],
          { at: 5000, id: "a", sight: ended(5000) },
        ],
        until: 6000,
      },
      ["70 firing to ops: +a", "5070 cleared to ops: -a"],
    ],
  ])("%s", (_name, story, expected) => {
    expect(told(story)).toEqual(expected);
  });
});

test("firings that waited for the hours of a route come as a digest when there are several", () => {
  const firing = (id: string, at: number) => ({ at, id, sight: live() });
  const story = (...ids: string[]): Play => ({ events: ids.map((id, at) => firing(id, at)), closed: 500 });
  expect(told(story("a", "b"))).toEqual(["500 digest to ops: +a +b"]);
  expect(told(story("a"))).toEqual(["500 firing to ops: +a"]);
});

test("an end that is not reported because its receiver is gone gives this reason", () => {
  const seen: unknown[] = [];
  const events = [
    { at: 0, id: "a", sight: live() },
    { at: 200, id: "a", sight: ended(200) },
  ];
  const goes = [{ at: 100, gone: ["ops"] }];
  const lines = told({ events, changes: goes, seen: (problem) => void seen.push(problem.members[0]?.standing["ops"]) });
  expect(lines).toEqual(["70 firing to ops: +a"]);
  expect(seen.at(-1)).toMatchObject({ verdict: "none", by: { kind: "receiver", id: "ops" } });
});

test("a clock that goes back delays no notice longer than the interval", () => {
  const problem: Problem = {
    ...{ id: "pg1", route: "rt1", key: "", severity: "warning", opened: 9000, closed: null, steps: 1, due: null },
    sides: { ops: { seq: 1, last: 9000 } },
    members: [
      {
        ...{ invocation: "a", alert: "hot", server: "a", severity: "warning", joined: 9000, free: 9000 },
        ...{ told: {}, standing: {} },
      },
    ],
  };
  const facts = {
    ...{ now: 5000, timing: TIMING, sights: new Map([["a", live()]]), newId: () => "no1" },
    ...{ unreachable: () => undefined, full: () => undefined, keepsState: () => false },
    ...{ isTaker: () => false, onDuty: () => undefined },
  };
  const first = settle(problem, facts);
  expect(first.drafts).toEqual([]);
  expect(first.problem.due).toBeLessThanOrEqual(5000 + TIMING.group_interval);
});
