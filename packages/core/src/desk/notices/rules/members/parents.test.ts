import { expect, test } from "vitest";
import type { NoticeHold } from "../../model.ts";
import { parentsOf } from "./parents.ts";

const on = (id: string): NoticeHold => ({ kind: "dependency", id, title: "Down on router1" });
const delay: NoticeHold = { kind: "delay", id: "hot", title: "" };

test.each<[string, Parameters<typeof parentsOf>[0], string[]]>([
  ["a free one for none", {}, []],
  ["a held one for what holds it", { hold: on("p1") }, ["p1"]],
  ["one that is too young as well", { hold: delay, also: [on("p1")] }, ["p1"]],
  ["one whose parent is not known yet for none", { hold: on("") }, []],
  ["one that something else holds for none", { hold: delay }, []],
  ["one that has ended for none", { hold: on("p1"), ended: 5 }, []],
])("of members %s waits", (_which, member, expected) => {
  expect(parentsOf(member)).toEqual(expected);
});
