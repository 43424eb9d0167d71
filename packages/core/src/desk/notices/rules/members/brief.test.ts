import { describe, expect, test } from "vitest";
import { type Play, play } from "../../../../../test/desk/notice-play.ts";
import type { NoticeHold, Standpoint } from "../../model.ts";
import type { Sight } from "../problem/facts.ts";
import { waitedFor } from "./brief.ts";

const severity = "info";
const live = (hold?: NoticeHold): Sight => ({ severity, ...(hold ? { hold } : {}) });
const over = (ended: number): Sight => ({ severity, ended });
const delay: NoticeHold = { kind: "delay", id: "hot", title: "" };
const silence: NoticeHold = { kind: "silence", id: "q1", title: "Works" };
const came = (id: string, from: number, to: number, hold?: NoticeHold): Play["events"] => [
  { at: from, id, sight: live(hold) },
  { at: to, id, sight: over(to) },
];

/** Lines like "370 update: +b ~a": + is new, - is over, ~ ended before its notice. */
const told = ({ timing, ...story }: Play): string[] =>
  play({ ...story, timing: { tell_brief: true, ...timing } }).map(({ at, kind, ...draft }) =>
    [
      `${at} ${kind}:`,
      ...draft.new.map((id) => `+${id}`),
      ...draft.over.map((id) => `-${id}`),
      ...(draft.brief ?? []).map((id) => `~${id}`),
    ].join(" "),
  );

const stays: Play["events"] = [{ at: 20, id: "b", sight: live() }];

describe("a firing that ended before its notice", () => {
  test.each<[string, Play, string[]]>([
    ["is listed in the next notice", { events: [...came("a", 0, 50), ...stays] }, ["90 firing: +b ~a"]],
    ["after a delay as well", { events: [...came("a", 0, 50, delay), ...stays] }, ["90 firing: +b ~a"]],
    ["but not after a silence", { events: [...came("a", 0, 50, silence), ...stays] }, ["90 firing: +b"]],
    [
      "not where the route does not say so",
      { events: [...came("a", 0, 50), ...stays], timing: { tell_brief: false } },
      ["90 firing: +b"],
    ],
    ["and causes no notice by itself", { events: came("a", 0, 50) }, []],
    [
      "is listed once, and its end is not reported again",
      { events: [...came("a", 0, 50), ...stays, { at: 400, id: "b", sight: over(400) }] },
      ["90 firing: +b ~a", "470 cleared: -b"],
    ],
    [
      "is not listed for a receiver of a later step",
      {
        events: [...came("a", 0, 50), ...stays],
        timing: {
          steps: [
            { after: 0, to: ["ops"] },
            { after: 5, to: ["lead"] },
          ],
        },
        until: 500,
      },
      ["90 firing: +b ~a", "390 escalation: +b"],
    ],
    ["makes a digest", { events: came("a", 0, 50), digest: 600 }, ["600 digest: ~a"]],
    [
      "is listed in the digest beside continuing ones",
      { events: [...came("a", 0, 50), ...stays], digest: 600 },
      ["600 digest: +b ~a"],
    ],
    ["no digest without a listed firing", { events: came("a", 0, 50, silence), digest: 600 }, []],
    ["none without tell_brief", { events: came("a", 0, 50), digest: 600, timing: { tell_brief: false } }, []],
  ])("%s", (_how, story, expected) => {
    expect(told(story)).toEqual(expected);
  });
});

test.each<[Standpoint | undefined, string]>([
  [undefined, ""],
  [{ verdict: "held", by: delay, from: 0 }, "delay"],
  [{ verdict: "none", by: { kind: "brief", id: "", title: "digest" }, from: 0 }, "digest"],
  [{ verdict: "told", from: 0 }, "grouping"],
])("with %j it waited for %j", (standing, expected) => {
  expect(waitedFor(standing)).toBe(expected);
});
