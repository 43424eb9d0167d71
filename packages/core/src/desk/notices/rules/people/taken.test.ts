import { describe, expect, test } from "vitest";
import { type Play, type PlayEvent, play } from "../../../../../test/desk/notice-play.ts";
import type { NoticeHold } from "../../model.ts";
import type { Sight } from "../problem/facts.ts";

const by = (id: string, title = ""): NoticeHold => ({ kind: "acknowledgement", id, title });
const live = (hold?: NoticeHold): Sight => ({ severity: "warning", ...(hold ? { hold, taker: hold.id } : {}) });
const fires = (id: string, at: number): PlayEvent => ({ at, id, sight: live() });
const taken = (id: string, at: number, who = "tom", said = ""): PlayEvent => ({ at, id, sight: live(by(who, said)) });
const over = (id: string, at: number): PlayEvent => ({
  ...{ at, id },
  sight: { severity: "warning", ended: at, endsUntold: by("tom") },
});

/** Lines like "500 ops: tom acknowledged a, b". News of firings is left out; other notices show their kind. */
const told = (story: Play): string[] =>
  play({ ...story, timing: { group_wait: 0, ...story.timing } }).flatMap(({ at, receiver, kind, acknowledged }) => {
    if (kind === "firing" || kind === "update") return [];
    if (!acknowledged) return [`${at} ${receiver}: ${kind}`];
    const { who, comment, invocations } = acknowledged;
    return [`${at} ${receiver}: ${who} acknowledged ${invocations.join(", ")}${comment ? ` "${comment}"` : ""}`];
  });

const both: Play["timing"] = { steps: [{ after: 0, to: ["ops", "chat"] }] };
const pager: Play["timing"] = { steps: [{ after: 0, to: ["pager"] }] };

describe("an acknowledgement", () => {
  test.each<[string, Play, string[]]>([
    [
      "is reported to all notified receivers, with the comment",
      { events: [fires("a", 0), taken("a", 50, "tom", "restarting")], timing: both },
      ['50 ops: tom acknowledged a "restarting"', '50 chat: tom acknowledged a "restarting"'],
    ],
    [
      "is not reported to the receiver whose link was used",
      { events: [fires("a", 0), taken("a", 50, "chat")], timing: both },
      ["50 ops: chat acknowledged a"],
    ],
    ["is not reported where there is only one receiver", { events: [fires("a", 0), taken("a", 50)] }, []],
    [
      "is not reported to receivers that were not notified yet",
      { events: [fires("a", 0), taken("a", 50)], timing: { ...both, group_wait: 60 } },
      [],
    ],
    [
      "of several firings at once is reported in one notice",
      { events: [fires("a", 0), fires("b", 0), taken("a", 50), taken("b", 50)], timing: both },
      ["50 ops: tom acknowledged a, b", "50 chat: tom acknowledged a, b"],
    ],
    [
      "is reported again no sooner than the interval",
      {
        events: [...["a", "b", "c"].map((id) => fires(id, 0)), taken("a", 50), taken("b", 60), taken("c", 70)],
        timing: both,
      },
      [
        ...["50 ops: tom acknowledged a", "50 chat: tom acknowledged a"],
        ...["350 ops: tom acknowledged b, c", "350 chat: tom acknowledged b, c"],
      ],
    ],
    [
      "is reported for one person after the other",
      { events: [fires("a", 0), fires("b", 0), taken("a", 50), taken("b", 50, "ann")], timing: both },
      [
        ...["50 ops: tom acknowledged a", "50 chat: tom acknowledged a"],
        ...["350 ops: ann acknowledged b", "350 chat: ann acknowledged b"],
      ],
    ],
    [
      "is reported once, and again when it was removed in between",
      {
        events: [fires("a", 0), taken("a", 50), { at: 60, id: "a", sight: live() }, taken("a", 500)],
        timing: { ...both, repeat_interval: 0 },
      },
      [
        ...["50 ops: tom acknowledged a", "50 chat: tom acknowledged a"],
        ...["500 ops: tom acknowledged a", "500 chat: tom acknowledged a"],
      ],
    ],
    [
      "is not reported in a digest, which lists unacknowledged firings",
      { events: [fires("a", 0), taken("a", 500)], timing: both, digest: 300 },
      ["300 ops: digest", "300 chat: digest"],
    ],
  ])("%s", (_how, story, expected) => {
    expect(told(story)).toEqual(expected);
  });
});

describe("a service that keeps the state of a problem", () => {
  test.each<[string, Play, string[]]>([
    [
      "is notified even if it is the only one, and of the end although it is acknowledged",
      { events: [fires("a", 0), taken("a", 50), over("a", 400)], timing: pager },
      ["50 pager: tom acknowledged a", "400 pager: cleared"],
    ],
    [
      "is notified once all its reported firings are acknowledged",
      { events: [fires("a", 0), fires("b", 0), taken("a", 50), taken("b", 90)], timing: pager },
      ["90 pager: tom acknowledged a, b"],
    ],
    [
      "is notified also with a digest",
      { events: [fires("a", 0), taken("a", 500)], timing: pager, digest: 300 },
      ["300 pager: digest", "500 pager: tom acknowledged a"],
    ],
    [
      "is notified, while people are not notified of acknowledged ends",
      { events: [fires("a", 0), taken("a", 50), over("a", 400)], timing: both },
      ["50 ops: tom acknowledged a", "50 chat: tom acknowledged a"],
    ],
  ])("%s", (_how, story, expected) => {
    expect(told(story)).toEqual(expected);
  });
});
