import { describe, expect, test } from "vitest";
import type { ReferenceRule } from "./table.ts";
import { addedReferences, referencesIn } from "./walk.ts";

const rule = (path: string, kind: ReferenceRule["kind"], when?: ReferenceRule["when"]): ReferenceRule => ({
  ...{ record: "events", path, kind, rule: "added" },
  ...(when ? { when } : {}),
});
const idsIn = (record: Record<string, unknown>, ...rules: ReferenceRule[]): string[] =>
  referencesIn(record, rules).map(({ id }) => id);
const action = rule("actions[].event_id", "event", [{ member: "type", is: "run_event" }]);
const node = rule("nodes[].data.targets[]", "target", [{ member: "data.type", is: "job" }]);
const params = rule("params._xy_override_targets", "target");

describe("the ids at a path", () => {
  test.each<[string, Record<string, unknown>, ReferenceRule, string[]]>([
    ["a member", { run_event: "e1" }, rule("run_event", "event"), ["e1"]],
    ["no member", {}, rule("run_event", "event"), []],
    ["an empty member", { run_event: "" }, rule("run_event", "event"), []],
    ["null", { run_event: null }, rule("run_event", "event"), []],
    ["a list", { targets: ["a", "b"] }, rule("targets[]", "target"), ["a", "b"]],
    ["a text instead of a list", { targets: "a" }, rule("targets[]", "target"), ["a"]],
    ["a list of objects", { actions: [{ type: "run_event", event_id: "e1" }] }, action, ["e1"]],
    ["an entry of another type", { actions: [{ type: "email", event_id: "e1" }] }, action, []],
    ["invalid entries", { actions: [null, 5, "x"] }, action, []],
    [
      "a list in a list",
      { events: [{ targets: ["a"] }, { targets: ["b"] }] },
      rule("events[].targets[]", "target"),
      ["a", "b"],
    ],
    ["a parameter that is a list", { params: { _xy_override_targets: ["a", "b"] } }, params, ["a", "b"]],
    ["a parameter that is a text", { params: { _xy_override_targets: " a, b,," } }, params, ["a", "b"]],
    ["a list in entries of a kind", { nodes: [{ data: { type: "job", targets: ["a"] } }] }, node, ["a"]],
    ["a list in entries of another", { nodes: [{ data: { type: "x", targets: ["a"] } }, { data: 5 }] }, node, []],
    ["a number", { params: { _xy_override_targets: 5 } }, params, ["5"]],
    ["a member of the prototype", {}, rule("constructor.name", "event"), []],
  ])("%s", (_name, record, where, expected) => {
    expect(idsIn(record, where)).toEqual(expected);
  });
});

describe("references that a write adds", () => {
  const runs = (event_id: string, members = {}) => ({ type: "run_event", event_id, ...members });
  test.each<[string, unknown[], unknown[], string[]]>([
    ["nothing", [runs("a")], [runs("a")], []],
    [
      "nothing, in another order of entries and members",
      [runs("a"), runs("b")],
      [runs("b"), { event_id: "a", type: "run_event" }],
      [],
    ],
    ["another event", [runs("a")], [runs("a"), runs("b")], ["b"]],
    ["the same event with other parameters", [runs("a")], [runs("a", { params: { x: 1 } })], ["a"]],
    ["less", [runs("a"), runs("b")], [runs("a")], []],
  ])("%s", (_name, before, after, expected) => {
    const added = addedReferences({ actions: before }, { actions: after }, [action]);
    expect(added.map(({ id }) => id)).toEqual(expected);
  });

  test("an id that is stored at another path is new, except for targets", () => {
    const after = { run_event: "a", params: { _xy_override_targets: "a" } };
    const before = { targets: ["a"], actions: [runs("a")] };
    const rules = [action, rule("run_event", "event"), rule("targets[]", "target"), params];
    expect(addedReferences(before, after, rules)).toMatchObject([{ kind: "event", id: "a" }]);
  });
});
