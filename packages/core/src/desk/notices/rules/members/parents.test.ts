import { expect, test } from "vitest";
import type { NoticeHold } from "../../model.ts";
import { parentsOf } from "./parents.ts";

const on = (id: string): NoticeHold => ({ kind: "dependency", id, title: "Down on router1" });
const delay: NoticeHold = { kind: "delay", id: "hot", title: "" };

test.each<[string, Parameters<typeof parentsOf>[0], string[]]>([
  ["a free one for no parent", {}, []],
  ["a held one for its parent", { hold: on("p1") }, ["p1"]],
  ["one that is held for its age as well, for its parent", { hold: delay, also: [on("p1")] }, ["p1"]],
  ["one whose parent is not known yet for no parent", { hold: on("") }, []],
  ["one with another hold for no parent", { hold: delay }, []],
  ["an ended one for no parent", { hold: on("p1"), ended: 5 }, []],
])("members wait for parents: %s", (_which, member, expected) => {
  expect(parentsOf(member)).toEqual(expected);
});
