import { describe, expect, test } from "vitest";
import type { Action } from "../../../../wire/entries/actions-and-limits.ts";
import { actionsForRetry, mergeActions } from "./actions.ts";

const action = (condition: string, members: Record<string, unknown> = {}): Action => ({
  enabled: true,
  condition,
  type: "web_hook",
  ...members,
});
const result = { date: 1, code: 0, description: "d", details: "x", elapsed_ms: 5, loc: "#", active: true };

describe("mergeActions", () => {
  test("puts the event's own before the category's and the configuration's, and marks their source", () => {
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

  test("drops sent results, except for start actions that a retry carries over", () => {
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
