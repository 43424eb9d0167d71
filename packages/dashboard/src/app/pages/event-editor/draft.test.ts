import { expect, test } from "vitest";
import type { Event } from "../events/deeds.ts";
import { absent, absentParameters, changedMembers, type Draft, emptyDraft, toTest, toUpdate } from "./draft.ts";

const base = {
  id: "e1",
  title: "A",
  revision: 4,
  modified: 9,
  targets: ["s1"],
  params: { a: 1 },
  colour: "red",
} as unknown as Event;
const draft = (members: object): Draft => ({ ...base, ...members }) as unknown as Draft;

test("an update contains the changes and the revision they are based on, and nothing else", () => {
  expect(toUpdate(base, draft({ title: "B", params: { a: 1 }, notes: "x" }))).toEqual({
    id: "e1",
    if_revision: 4,
    title: "B",
    notes: "x",
  });
  expect(changedMembers(base, draft({ modified: 12, revision: 5 }))).toEqual({});
});

test("a test uses the changes that affect a run, but no title or schedule", () => {
  expect(toTest(base, draft({ title: "B", triggers: [], params: { a: 2 } }))).toEqual({ params: { a: 2 } });
});

test("an event needs a title and, unless it is a workflow, targets", () => {
  const asked = [
    { id: "script", type: "textarea", required: true },
    { id: "mode", type: "text" },
  ];
  expect(absent(draft({ params: {} }), asked)).toEqual(["params.script"]);
  expect(absentParameters(["title", "params.script"], asked)).toEqual(["script"]);
  expect(absent(emptyDraft("general", "shellplug"), [])).toEqual(["title", "targets"]);
  expect(absent(draft({ title: " " }), [])).toEqual(["title"]);
  expect(absent(draft({ targets: [], type: "workflow" }), asked)).toEqual([]);
});
