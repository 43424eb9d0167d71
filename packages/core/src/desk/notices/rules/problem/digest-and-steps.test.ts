import { describe, expect, test } from "vitest";
import { ended, live, type Play, told } from "../../../../../test/desk/notice-play.ts";
import type { NoticeHold } from "../../model.ts";

const acknowledged: NoticeHold = { kind: "acknowledgement", id: "ann", title: "" };

describe("a digest", () => {
  test.each<[string, Play, string[]]>([
    [
      "lists the live firings at its time, and none that came and went",
      {
        events: [
          ...[
            { at: 0, id: "a", sight: live() },
            { at: 100, id: "b", sight: live() },
          ],
          { at: 300, id: "b", sight: ended(300) },
        ],
        digest: 600,
      },
      ["600 digest to ops: +a"],
    ],
    [
      "keeps ends for the next one",
      {
        events: [
          { at: 0, id: "a", sight: live() },
          { at: 700, id: "a", sight: ended(700) },
        ],
        digest: 600,
        until: 3000,
      },
      ["600 digest to ops: +a"],
    ],
    ["is not sent without content", { events: [{ at: 700, id: "a", sight: live() }], digest: 600 }, []],
  ])("%s", (_name, story, expected) => {
    expect(told(story)).toEqual(expected);
  });
});

describe("escalation", () => {
  const steps = [
    { after: 0, to: ["ops"] },
    { after: 15, to: ["lead"] },
    { after: 30, to: ["boss"] },
  ];
  const at = (minutes: number): number => 70 + minutes * 60;
  test.each<[string, Play, string[]]>([
    [
      "a firing without an acknowledgement goes on to the next step",
      { events: [{ at: 0, id: "a", sight: live() }], timing: { steps }, until: 4000 },
      ["70 firing to ops: +a", `${at(15)} escalation to lead: +a`, `${at(30)} escalation to boss: +a`],
    ],
    [
      "is stopped by an acknowledgement",
      {
        events: [
          { at: 0, id: "a", sight: live() },
          { at: 500, id: "a", sight: live({ hold: acknowledged }) },
        ],
        timing: { steps },
        until: 4000,
      },
      ["70 firing to ops: +a", "500 acknowledged to ops:"],
    ],
    [
      "begins the next step at once after a step without people",
      { events: [{ at: 0, id: "a", sight: live() }], timing: { steps }, gone: ["lead"], until: 4000 },
      ["70 firing to ops: +a", `${at(15)} escalation to boss: +a`],
    ],
    [
      "begins the next step at once after an unheard step, which is still notified",
      { events: [{ at: 0, id: "a", sight: live() }], timing: { steps }, unheard: ["lead"], until: 4000 },
      ["70 firing to ops: +a", `${at(15)} escalation to lead: +a`, `${at(15)} escalation to boss: +a`],
    ],
    [
      "keeps the times of unheard steps where none after them is heard",
      { events: [{ at: 0, id: "a", sight: live() }], timing: { steps }, unheard: ["lead", "boss"], until: 4000 },
      ["70 firing to ops: +a", `${at(15)} escalation to lead: +a`, `${at(30)} escalation to boss: +a`],
    ],
    [
      "rounds begin again",
      { events: [{ at: 0, id: "a", sight: live() }], timing: { steps: steps.slice(0, 2), loop: 1 }, until: 4000 },
      [
        ...["70 firing to ops: +a", `${at(15)} escalation to lead: +a`],
        ...[`${at(30)} escalation to ops: *a`, `${at(45)} escalation to lead: *a`],
      ],
    ],
    [
      "reports the end to all notified receivers",
      {
        events: [
          { at: 0, id: "a", sight: live() },
          { at: 1200, id: "a", sight: ended(1200) },
        ],
        timing: { steps },
        until: 2000,
      },
      [
        "70 firing to ops: +a",
        `${at(15)} escalation to lead: +a`,
        "1270 cleared to ops: -a",
        "1270 cleared to lead: -a",
      ],
    ],
  ])("%s", (_name, story, expected) => {
    expect(told(story)).toEqual(expected);
  });
});

describe("a route that is changed meanwhile", () => {
  const two = [{ after: 0, to: ["ops", "chat"] }];
  test("notifies its new receivers, with an update, after its wait", () => {
    const story = (at: number): Play => ({
      events: [{ at: 0, id: "a", sight: live() }],
      changes: [{ at, timing: { steps: two } }],
    });
    expect(told(story(200))).toEqual(["70 firing to ops: +a", "270 update to chat: +a"]);
    expect(told(story(30))).toEqual(["70 firing to ops: +a", "100 update to chat: +a"]);
  });

  test("sends removed receivers nothing but ends", () => {
    const events = [
      { at: 0, id: "a", sight: live() },
      { at: 300, id: "b", sight: live() },
      { at: 900, id: "a", sight: ended(900) },
      { at: 910, id: "b", sight: ended(910) },
    ];
    const changes = [{ at: 200, timing: { steps: [{ after: 0, to: ["chat"] }], repeat_interval: 400 } }];
    expect(told({ events, changes })).toEqual([
      ...["70 firing to ops: +a", "270 update to chat: +a", "570 update to chat: +b", "670 repeat to chat: *a *b"],
      ...["970 cleared to ops: -a", "980 cleared to chat: -a -b"],
    ]);
  });
});

test("after all reported firings are acknowledged, a further firing begins with the first step", () => {
  const steps = [
    { after: 0, to: ["ops"] },
    { after: 5, to: ["lead"] },
  ];
  const events = [
    { at: 0, id: "a", sight: live() },
    { at: 400, id: "a", sight: live({ hold: acknowledged }) },
    { at: 1000, id: "b", sight: live() },
  ];
  expect(told({ events, timing: { steps }, until: 3000 })).toEqual([
    "70 firing to ops: +a",
    "370 escalation to lead: +a",
    ...["400 acknowledged to ops:", "400 acknowledged to lead:"],
    ...["1070 update to ops: +b", "1070 update to lead: +b"],
    "1370 escalation to lead: *b",
  ]);
});
