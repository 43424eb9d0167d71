import { describe, expect, test } from "vitest";
import type { Action } from "../../../wire/actions-and-limits.ts";
import {
  actionsForRetry,
  collectActions,
  dedupeActions,
  hasResult,
  mergeActions,
  missingTypeText,
  targetOfUnhandled,
  withoutResult,
} from "./actions.ts";

const action = (condition: string, members: Record<string, unknown> = {}): Action => ({
  enabled: true,
  condition,
  type: "web_hook",
  ...members,
});
const hookOf = (given: Action): string => String(given["web_hook"] ?? "");
const result = { date: 1, code: 0, description: "d", details: "x", elapsed_ms: 5, loc: "#", active: true };

describe("mergeActions", () => {
  test("puts the event's own before those of the category and of the configuration, and marks where they come from", () => {
    const merged = mergeActions([
      { actions: [action("error"), action("start", { enabled: false })] },
      { source: "category", actions: [action("success", { web_hook: "c" })] },
      { source: "universal", actions: [action("complete", { web_hook: "u" })] },
    ]);
    expect(merged).toEqual([
      action("error"),
      action("start", { enabled: false }),
      action("success", { web_hook: "c", source: "category" }),
      action("complete", { web_hook: "u", source: "universal" }),
    ]);
  });

  test.each([{ enabled: false }, { condition: "" }])("leaves out defaults with %j", (members) => {
    expect(mergeActions([{ source: "category", actions: [action("error", members)] }])).toEqual([]);
  });

  test("drops results that came along, but for start actions that a retry hands on", () => {
    const own = [action("success", result), action("start", result)];
    const merged = mergeActions([{ actions: own }, { source: "category", actions: [action("start", result)] }]);
    expect(merged).toEqual([action("success"), action("start", result), action("start", { source: "category" })]);
  });

  test("shares nothing with the definition", () => {
    const tags = ["a"];
    const [copy] = mergeActions([{ actions: [action("error", { tags })] }]);
    tags.push("b");
    expect(copy?.["tags"]).toEqual(["a"]);
  });
});

describe("collectActions", () => {
  test("goes by condition first and by the order of the list second, and keeps the places", () => {
    const list = [action("success"), action("complete"), action("success", { enabled: false }), action("success")];
    const places = collectActions(list, ["complete", "success"]).map(({ index }) => index);
    expect(places).toEqual([1, 0, 3]);
  });

  test("a flag may be a number", () => {
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

  test("actions that run at once neither are duplicates nor make others so", () => {
    const list = ["instant", "instant", "complete", "error"].map((condition) => action(condition, { web_hook: "a" }));
    const kept = dedupeActions(collectActions(list, ["instant", "complete", "error"]), hookOf);
    expect(kept.map(({ index }) => index)).toEqual([0, 1, 2]);
  });
});

describe("targets of types that nobody handles", () => {
  test.each([
    [{ type: "store", bucket_id: "b" }, "b"],
    [{ type: "fetch", bucket_id: "b" }, "b"],
    [{ type: "snapshot", any: 1 }, ""],
    [{ type: "suspend", users: ["a"] }, ""],
  ])("%j is known by %j", (members, target) => {
    expect(targetOfUnhandled(action("error", members))).toBe(target);
  });
});

describe("actionsForRetry", () => {
  test("keeps the event's own without results, and start actions that ran", () => {
    const kept = actionsForRetry([
      action("error", result),
      action("start", result),
      action("start", { source: "universal", ...result }),
      action("error", { source: "category" }),
      action("error", { source: "universal" }),
      action("instant", { source: "job", ...result }),
    ]);
    expect(kept).toEqual([
      action("error"),
      action("start", result),
      action("start", { source: "universal", ...result }),
    ]);
  });
});

test("a result is told by its code, also when it is 0", () => {
  expect([hasResult(action("x", { code: 0 })), hasResult(action("x", { date: 1 }))]).toEqual([true, false]);
  expect(withoutResult(action("x", { ...result, web_hook: "w" }))).toEqual(action("x", { web_hook: "w" }));
});

test.each([
  ["store", "Action type store is not available yet"],
  ["nonsense", "Unknown action type: nonsense"],
])("type %s without a handler says so", (type, text) => {
  expect(missingTypeText(type)).toBe(text);
});
