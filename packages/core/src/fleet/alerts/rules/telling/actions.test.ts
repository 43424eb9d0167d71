import { describe, expect, test } from "vitest";
import type { Action } from "../../../../wire/entries/actions-and-limits.ts";
import { alertActions, alertTarget } from "./actions.ts";

const everywhere = {
  applies: ["job", "alert"],
  target: (action: Action) => String(action["event_id"] ?? action["web_hook"] ?? ""),
};
const types: Readonly<Record<string, typeof everywhere>> = {
  run_event: everywhere,
  web_hook: everywhere,
  snapshot: everywhere,
  email: everywhere,
  plugin: everywhere,
  ticket: everywhere,
  tag: { ...everywhere, applies: ["job"] },
};
const action = (type: string, members: Record<string, unknown> = {}): Action => ({
  enabled: true,
  condition: "alert_new",
  type,
  ...members,
});
const planned = (
  own: readonly Action[],
  groups: readonly (readonly Action[])[] = [],
  universal: readonly Action[] = [],
) =>
  alertActions({
    alert: { actions: [...own] },
    groups: groups.map((alert_actions) => ({ alert_actions: [...alert_actions] })),
    universal,
    condition: "alert_new",
    targetOf: (each) => alertTarget(each, types[each.type]),
  });

describe("actions on the same target", () => {
  test.each<[string, Action, Action]>([
    ["a web hook", action("web_hook", { web_hook: "h" }), action("web_hook", { web_hook: "h", text: "other" })],
    ["a snapshot", action("snapshot"), action("snapshot", { hidden: true })],
    [
      "a mail to the same people in another order and case",
      action("email", { users: ["Ann", "bob"], email: "Ops@example.com" }),
      action("email", { users: ["bob", "ann"], email: "ops@example.com" }),
    ],
    [
      "an event with the same parameters in another order",
      action("run_event", { event_id: "e", params: { a: 1, b: { c: [2], d: 3 } } }),
      action("run_event", { event_id: "e", params: { b: { d: 3, c: [2] }, a: 1 } }),
    ],
    [
      "a ticket with the same people and tags",
      action("ticket", { ticket_type: "issue", ticket_assignees: ["Ann", "bob"], ticket_tags: ["x"] }),
      action("ticket", { ticket_type: "issue", ticket_assignees: ["bob", "ann"], ticket_tags: ["x"] }),
    ],
  ])("of %s run once, the first one", (_what, first, second) => {
    expect(planned([first, second])).toEqual([first]);
  });

  test.each<[string, Action, Action]>([
    [
      "events with other parameters",
      action("run_event", { event_id: "e", params: { a: 1 } }),
      action("run_event", { event_id: "e" }),
    ],
    [
      "plugins with other parameters",
      action("plugin", { plugin_id: "p", params: { a: 1 } }),
      action("plugin", { plugin_id: "p" }),
    ],
    ["tickets of other types", action("ticket", { ticket_type: "issue" }), action("ticket", { ticket_type: "change" })],
    [
      "tickets that are due at other times",
      action("ticket", { ticket_due: "+1 day" }),
      action("ticket", { ticket_due: "" }),
    ],
    ["mails to others", action("email", { email: "a@b" }), action("email", { email: "a@c" })],
  ])("are separate from %s", (_what, first, second) => {
    expect(planned([first, second])).toEqual([first, second]);
  });
});

test("own actions come before the actions of groups in order, and these before the configuration's", () => {
  const [a, b, c, d] = ["a", "b", "c", "d"].map((web_hook) => action("web_hook", { web_hook })) as [
    Action,
    Action,
    Action,
    Action,
  ];
  expect(
    planned(
      [a],
      [
        [b, a],
        [c, b],
      ],
      [d, c],
    ),
  ).toEqual([a, { ...b, source: "group" }, { ...c, source: "group" }, { ...d, source: "universal" }]);
});

test("disabled actions, other conditions, types of jobs and unknown types are left out", () => {
  const own = [
    action("web_hook", { web_hook: "h", enabled: false }),
    action("web_hook", { web_hook: "h", condition: "alert_cleared" }),
    action("tag", { tags: ["x"] }),
    action("nonsense"),
    action("email", { email: "a@example.com" }),
  ];
  expect(planned(own).map(({ type }) => type)).toEqual(["email"]);
});

test("results that come with a definition are dropped, and the definition is not changed", () => {
  const own = action("web_hook", { web_hook: "h", code: 0, description: "done", nested: { list: [1] } });
  const [copy] = planned([own]);
  expect(copy).toEqual(action("web_hook", { web_hook: "h", nested: { list: [1] } }));
  expect(copy?.["nested"]).not.toBe(own["nested"]);
});
