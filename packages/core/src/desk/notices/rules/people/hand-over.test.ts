import { expect, test } from "vitest";
import { type Play, type PlayEvent, play } from "../../../../../test/desk/notice-play.ts";
import type { NoticeHold } from "../../model.ts";
import { withPerson } from "./duty.ts";

const severity = "warning";
const taken: NoticeHold = { kind: "acknowledgement", id: "ann", title: "" };
const fires = (id: string, at: number): PlayEvent => ({ at, id, sight: { severity } });
const over = (id: string, at: number): PlayEvent => ({ at, id, sight: { severity, ended: at } });
const shifts = (...names: (string | undefined)[]) => names.map((name, at) => ({ from: at * 300, name }));

/** Lines like "300 hand-over: a" or "400 cleared (and ann)". */
const told = ({ timing, ...story }: Play): string[] =>
  play({ ...story, timing: { group_wait: 0, steps: [{ after: 0, to: ["rota"] }], ...timing } }).map(
    ({ at, kind, hand_over, still, former = [] }) =>
      `${at} ${hand_over ? `hand-over: ${still.join(", ")}` : kind}${former.length > 0 ? ` (and ${former.join(", ")})` : ""}`,
  );

test.each<[string, Play, string[]]>([
  [
    "is notified of live firings once, and the former person of the end",
    { events: [fires("a", 0), over("a", 500)], duty: shifts("ann", "bob") },
    ["0 firing", "300 hand-over: a", "500 cleared (and ann)"],
  ],
  [
    "is not notified of acknowledged firings",
    { events: [fires("a", 0), { at: 50, id: "a", sight: { severity, hold: taken } }], duty: shifts("ann", "bob") },
    ["0 firing"],
  ],
  [
    "is notified when the acknowledgement is removed",
    {
      events: [fires("a", 0), { at: 50, id: "a", sight: { severity, hold: taken } }, fires("a", 400)],
      duty: shifts("ann", "bob"),
    },
    ["0 firing", "400 hand-over: a"],
  ],
  [
    "is not notified of ended firings",
    { events: [fires("a", 0), over("a", 200)], duty: shifts("ann", "bob") },
    ["0 firing", "200 cleared"],
  ],
  [
    "is not notified again if it is the same person",
    { events: [fires("a", 0)], duty: shifts("ann", "ann") },
    ["0 firing"],
  ],
  [
    "is notified after a gap, and again when the shift returns",
    { events: [fires("a", 0)], duty: shifts("ann", undefined, "bob", "ann") },
    ["0 firing", "600 hand-over: a", "900 hand-over: a"],
  ],
  [
    "is missing in a gap, so the former person is notified of the end",
    { events: [fires("a", 0), over("a", 400)], duty: shifts("ann", undefined) },
    ["0 firing", "400 cleared (and ann)"],
  ],
  [
    "is notified of further firings as usual",
    { events: [fires("a", 0), fires("b", 400)], duty: shifts("ann", "bob") },
    ["0 firing", "300 hand-over: a", "400 update"],
  ],
])("a person who comes on duty %s", (_how, story, expected) => {
  expect(told(story)).toEqual(expected);
});

test.each([
  [undefined, "ann", { duty: ["ann"] }],
  [["ann"], "bob", { duty: ["ann", "bob"] }],
  [["ann", "bob"], "ann", { duty: ["bob", "ann"] }],
  [["ann"], undefined, {}],
])("%j and then %s are %j", (duty, person, expected) => {
  expect(withPerson({ duty }, person)).toEqual(expected);
});
