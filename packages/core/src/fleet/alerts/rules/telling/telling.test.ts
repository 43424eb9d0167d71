import { describe, expect, test } from "vitest";
import type { Action } from "../../../../wire/entries/actions-and-limits.ts";
import { isTelling, toldOfNoData, toldOnly } from "./telling.ts";

const action = (type: string, to: string, more: Record<string, unknown> = {}): Action =>
  ({ enabled: true, condition: "alert_new", type, to, ...more }) as Action;
const targetOf = (each: Action): string => String(each["to"]);

test.each([
  ["email", true],
  ["channel", true],
  ["web_hook", true],
  ["acme.page", true],
  ["run_event", false],
  ["snapshot", false],
  ["plugin", false],
  ["ticket", false],
])("%s sends a notice: %s", (type, expected) => {
  expect(isTelling({ type })).toBe(expected);
});

describe("receivers of a clearing", () => {
  const ann = action("email", "ann");
  test.each<[string, readonly Action[], readonly Action[], boolean, boolean]>([
    ["was notified of the firing", [action("email", "ann", { code: 0 })], [ann], false, true],
    [
      "was notified of a repetition",
      [action("email", "ann", { code: "email" }), action("email", "ann", { code: 0, round: 1 })],
      [ann],
      false,
      true,
    ],
    ["may have been notified", [action("email", "ann", { code: "timeout" })], [ann], false, true],
    ["is about to be notified", [action("email", "ann")], [ann], false, true],
    ["could not be notified", [action("email", "ann", { code: "email" })], [ann], false, false],
    ["was not notified, because the firing was held", [], [ann], true, false],
    ["was added after the firing", [], [ann], false, false],
    ["is only notified of clearings", [], [], false, true],
    ["is only notified of clearings, for a firing that was held", [], [], true, false],
    ["was not notified, unlike another target", [action("email", "tom", { code: 0 })], [ann], false, false],
    ["was not notified, unlike a target of another type", [action("channel", "ann", { code: 0 })], [ann], false, false],
  ])("a receiver that %s", (_who, fired, wanted, wasHeld, expected) => {
    const due = [action("email", "ann", { condition: "alert_cleared" })];
    expect(toldOnly(due, { fired, wanted, wasHeld, targetOf })).toEqual(expected ? due : []);
  });

  test("actions for each server run in any case", () => {
    const due = [action("run_event", "e1"), action("ticket", "")];
    expect(toldOnly(due, { fired: [], wanted: due, wasHeld: true, targetOf })).toEqual(due);
  });
});

test("the silence of a server is reported once to each receiver of the firing, and no other action runs", () => {
  const fired = [
    action("email", "ann", { code: 0 }),
    action("email", "tom", { code: "email" }),
    action("ticket", "", { code: 0 }),
  ];
  const due = [action("email", "ann", { condition: "alert_cleared" }), ...fired, action("email", "eve")];
  expect(toldOfNoData(due, { fired, wanted: [], wasHeld: false, targetOf })).toEqual([
    action("email", "ann", { condition: "alert_cleared" }),
  ]);
});
