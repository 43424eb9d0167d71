import { expect, test } from "vitest";
import { type Play, type PlayEvent, play } from "../../../../../test/desk/notice-play.ts";
import type { NoticeHold } from "../../model.ts";

const severity = "warning";
const fires = (id: string, at: number): PlayEvent => ({ at, id, sight: { severity } });
const over = (id: string, at: number): PlayEvent => ({ at, id, sight: { severity, ended: at } });
const rate: NoticeHold = { kind: "rate", id: "ops", title: "Ops", until: 3600 };

/** Lines like "70 firing: +a", with - for ended firings. From second 100 on every receiver is at its bound. */
const told = ({ timing, ...story }: Play): string[] =>
  play({ ...story, full: (at) => (at >= 100 ? rate : undefined), timing: { ...timing, loop: 0 } }).map((draft) =>
    [
      `${draft.at} ${draft.kind}:`,
      ...draft.new.map((id) => `+${id}`),
      ...draft.repeated.map((id) => `=${id}`),
      ...draft.over.map((id) => `-${id}`),
    ].join(" "),
  );

const twoSteps = [
  { after: 0, to: ["ops"] },
  { after: 5, to: ["ops"] },
];

test.each<[string, Play, string[]]>([
  ["new firings", { events: [fires("a", 0), fires("b", 200)] }, ["70 firing: +a"]],
  ["but not the end of all", { events: [fires("a", 0), over("a", 300)] }, ["70 firing: +a", "370 cleared: -a"]],
  [
    "nor the end of one, where each end is reported",
    { events: [fires("a", 0), fires("b", 200), over("a", 300)], timing: { clear: "each" } },
    ["70 firing: +a", "370 update: -a"],
  ],
  [
    "nor the end of all after a step without room",
    { events: [fires("a", 0), over("a", 600)], timing: { steps: twoSteps } },
    ["70 firing: +a", "670 cleared: -a"],
  ],
])("when a receiver has got as many notices as it may, this holds back %s", (_what, story, expected) => {
  expect(told(story)).toEqual(expected);
});

test("a step for which there was no room begins when there is room, after ends that came meanwhile", () => {
  const events = [fires("a", 0), fires("b", 0), over("a", 400)];
  const all = play({
    ...{ events, until: 2000, timing: { clear: "each", steps: twoSteps } },
    full: (at) => (at >= 100 && at < 900 ? { ...rate, until: 900 } : undefined),
  });
  expect(all.map(({ at, kind }) => `${at} ${kind}`)).toEqual(["70 firing", "470 update", "900 escalation"]);
});
