import { describe, expect, test } from "vitest";
import { failureCode, soundOutcome } from "./action-outcome.ts";

test.each([
  ["web_hook", "webhook"],
  ["run_event", "event"],
  ["store", "bucket"],
  ["fetch", "bucket"],
  ["email", "email"],
  ["acme.page", "acme.page"],
])("actions of type %s fail with code %s", (type, code) => {
  expect(failureCode(type)).toBe(code);
});

describe("soundOutcome", () => {
  test("a complete outcome stays unchanged", () => {
    const outcome = { code: 0, description: "Done", details: "- a", loc: "#Job?id=j1" };
    expect(soundOutcome("x", { ...outcome, resultId: "j1", secret: 1 })).toEqual(outcome);
  });

  test.each([undefined, null, {}, { code: undefined }, { code: "" }, { code: Number.NaN }, { code: true }, "text"])(
    "without a usable code (%j) the action has failed",
    (given) => {
      expect(soundOutcome("store", given)).toEqual({
        code: "bucket",
        description: "The action gave no result.",
        details: "",
      });
    },
  );

  test("texts are cut, and other values are left out", () => {
    const { description, details } = soundOutcome("x", {
      code: 1,
      description: "d".repeat(20_000),
      details: "x".repeat(1_000_000),
    });
    expect([description.length, details?.length]).toEqual([10_000, 262_144]);
    expect(soundOutcome("x", { code: 1, description: {}, details: 5, loc: [] })).toEqual({
      code: 1,
      description: "",
      details: "",
    });
  });
});
