import { describe, expect, test } from "vitest";
import type { Action } from "../../../wire/entries/actions-and-limits.ts";
import { collectActions, dedupeActions, hasResult, withoutResult } from "./list.ts";

const action = (condition: string, members: Record<string, unknown> = {}): Action => ({
  enabled: true,
  condition,
  type: "web_hook",
  ...members,
});
const hookOf = (given: Action): string => String(given["web_hook"] ?? "");
const result = { date: 1, code: 0, description: "d", details: "x", elapsed_ms: 5, loc: "#", active: true };

describe("collectActions", () => {
  test("orders actions by condition, then by their place in the list, and keeps the places", () => {
    const list = [action("success"), action("complete"), action("success", { enabled: false }), action("success")];
    const places = collectActions(list, ["complete", "success"]).map(({ index }) => index);
    expect(places).toEqual([1, 0, 3]);
  });

  test("accepts a number as a flag", () => {
    const list = [action("error", { enabled: 1 }), action("error", { enabled: 0 })];
    expect(collectActions(list, ["error"]).map(({ index }) => index)).toEqual([0]);
  });
});

describe("dedupeActions", () => {
  test("the first action per type and target stays", () => {
    const list = [
      action("complete", { web_hook: "a" }),
      action("error", { web_hook: "a", text: "other" }),
      action("error", { web_hook: "b" }),
      action("error", { type: "channel", channel_id: "a" }),
    ];
    const kept = dedupeActions(collectActions(list, ["complete", "error"]), hookOf);
    expect(kept.map(({ index }) => index)).toEqual([0, 2, 3]);
  });

  test("actions that run at once are never duplicates", () => {
    const list = ["instant", "instant", "complete", "error"].map((condition) => action(condition, { web_hook: "a" }));
    const kept = dedupeActions(collectActions(list, ["instant", "complete", "error"]), hookOf);
    expect(kept.map(({ index }) => index)).toEqual([0, 1, 2]);
  });
});

test("an action with a code has a result, also when the code is 0", () => {
  expect([hasResult(action("x", { code: 0 })), hasResult(action("x", { date: 1 }))]).toEqual([true, false]);
  expect(withoutResult(action("x", { ...result, web_hook: "w" }))).toEqual(action("x", { web_hook: "w" }));
});
