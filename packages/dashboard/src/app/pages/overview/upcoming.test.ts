import { expect, test } from "vitest";
import { isPlanned, questionsOf } from "./upcoming.ts";

const event = (id: string, ...triggers: object[]) => ({ id, title: id, triggers: triggers as never });
const on = (type: string) => ({ type, enabled: true });

test.each([
  ["a schedule", { enabled: true, triggers: [on("schedule")] }, true],
  ["a schedule that is off", { enabled: true, triggers: [{ type: "schedule", enabled: false }] }, false],
  ["an event that is off", { enabled: false, triggers: [on("schedule")] }, false],
  ["by hand alone", { enabled: true, triggers: [on("manual")] }, false],
  ["no triggers at all", { enabled: true }, false],
])("%s", (_fact, one, expected) => expect(isPlanned(one)).toBe(expected));

test("triggers of many events are asked about at once, those with rules of their own alone", () => {
  const asked = questionsOf([
    event("a", on("schedule"), on("manual")),
    event("b", on("interval"), on("schedule")),
    event("c", on("schedule"), on("blackout")),
    event("d", on("plugin")),
  ]);
  expect(asked.map((one) => (one.kind === "alone" ? one.event.id : one.owners.map(({ id }) => id).join("")))).toEqual([
    "abb",
    "c",
    "d",
  ]);
});

test("a question has no more triggers than the server takes, and there are few questions", () => {
  const many = Array.from({ length: 250 }, (_, at) => event(`e${at}`, on("schedule")));
  expect(questionsOf(many).map((one) => (one.kind === "together" ? one.triggers.length : 1))).toEqual([100, 100, 50]);
  const odd = Array.from({ length: 50 }, (_, at) => event(`e${at}`, on("schedule"), on("range")));
  expect(questionsOf(odd)).toHaveLength(12);
});
