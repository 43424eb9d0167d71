import { describe, expect, test } from "vitest";
import { checkTriggers } from "./trigger-shape.ts";

const P = "Malformed trigger entry #1";
const one = (trigger: unknown): string | undefined => checkTriggers([trigger]);

describe("checkTriggers", () => {
  test("accepts a hundred triggers at most", () => {
    const triggers = Array.from({ length: 101 }, () => ({ type: "schedule" }));
    expect(checkTriggers(triggers.slice(1))).toBeUndefined();
    expect(checkTriggers(triggers)).toBe("Malformed event parameter: triggers (more than 100)");
  });

  test.each([
    [{ type: "manual" }],
    [{ type: "schedule", days: [1, -7], hours: [], timezone: "Europe/Berlin", params: { a: 1 }, tags: ["x"] }],
    [{ type: "schedule", dst: "wall" }],
    [{ type: "interval", start: 0, duration: 1.5 }],
    [{ type: "single", epoch: 1 }],
    [{ type: "single", epoch: 7_289_654_399 }],
    [{ type: "range" }],
    [{ type: "blackout", start: 60, end: 60 }],
    [{ type: "precision", seconds: [0, 59] }],
    [{ type: "quiet", invisible: true }],
    [{ type: "keyboard", keys: ["a"] }],
    [{ type: "nth", every: 2 }],
    [{ type: "magic", key: "my-key" }],
  ])("accepts %j", (trigger) => {
    expect(one(trigger)).toBeUndefined();
  });

  test.each([
    ["x", `${P} (not an object)`],
    [{ type: "hourly" }, `${P}: Unknown type`],
    [{ type: "schedule", hours: 5 }, "Malformed trigger parameter: hours (must be array)"],
    [{ type: "schedule", hours: ["5"] }, "Malformed trigger parameter: hours (must be array of numbers)"],
    [{ type: "schedule", hours: [24] }, "Malformed trigger parameter: hours (out of range: 24)"],
    [{ type: "schedule", days: [0] }, "Malformed trigger parameter: days (out of range: 0)"],
    [{ type: "schedule", days: [-8] }, "Malformed trigger parameter: days (out of range: -8)"],
    [{ type: "schedule", weekdays: [7] }, "Malformed trigger parameter: weekdays (out of range: 7)"],
    [{ type: "schedule", years: [0] }, "Malformed trigger parameter: years (out of range: 0)"],
    [{ type: "schedule", timezone: 5 }, `${P}: Invalid timezone: 5`],
    [{ type: "schedule", timezone: "Mars/Base" }, `${P}: Unknown timezone: Mars/Base`],
    [{ type: "interval", duration: 5 }, `${P}: Invalid starting date/time specified for interval`],
    [{ type: "interval", start: 5 }, `${P}: Interval rule is missing duration.`],
    [{ type: "interval", start: 5, duration: -1 }, `${P}: Interval duration must be a positive number.`],
    [{ type: "interval", start: 5, duration: 1e-9 }, `${P}: Interval duration must be at least one second.`],
    [{ type: "interval", start: 5, duration: 1e300 }, `${P}: Interval duration must be a positive number.`],
    [{ type: "interval", start: -1, duration: 5 }, `${P}: Invalid starting date/time specified for interval`],
    [{ type: "delay", duration: 1e300 }, `${P}: Starting delay rule is missing duration.`],
    [{ type: "single", epoch: 7_289_654_400 }, `${P}: Invalid date/time specified for single shot`],
    [{ type: "precision", seconds: Array(61).fill(1) }, `${P}: Precision rule has more than 60 seconds.`],
    [{ type: "schedule", years: Array(367).fill(2027) }, "Malformed trigger parameter: years (more than 366 values)"],
    [{ type: "single" }, `${P}: Invalid date/time specified for single shot`],
    [{ type: "keyboard", keys: [] }, `${P}: Keyboard trigger has no shortcuts.`],
    [{ type: "nth", every: 1 }, `${P}: Every Nth value is invalid (must be 2 or higher).`],
    [{ type: "range", start: "x" }, `${P}: Invalid start date/time specified for range`],
    [{ type: "range", end: 1.5 }, `${P}: Invalid end date/time specified for range`],
    [{ type: "range", start: 2, end: 1 }, `${P}: Invalid date range.  The start date cannot come after the end date.`],
    [{ type: "blackout", start: 2 }, `${P}: Both a start and an end date are required for blackout.`],
    [{ type: "blackout", start: "x", end: 1 }, `${P}: Invalid start date/time specified for blackout`],
    [
      { type: "blackout", start: 2, end: 1 },
      `${P}: Invalid date range for blackout.  The start date cannot come after the end date.`,
    ],
    [{ type: "delay" }, `${P}: Starting delay rule is missing duration.`],
    [{ type: "precision", seconds: [60] }, `${P}: Precision rule is missing seconds array.`],
    [{ type: "quiet" }, `${P}: Quiet rule must have one or more modes enabled.`],
    [{ type: "manual", enabled: {} }, `${P}: Invalid enabled flag.`],
    [{ type: "plugin", plugin_id: { toString: 1 } }, `${P}: Scheduler Plugin not found: `],
    [{ type: "plugin", plugin_id: "no/id" }, `${P}: Scheduler Plugin not found: no/id`],
  ])("refuses %j", (trigger, text) => {
    expect(one(trigger)).toBe(text);
  });

  test("names the place of the entry", () => {
    expect(checkTriggers([{ type: "manual" }, { type: "x" }])).toBe("Malformed trigger entry #2: Unknown type");
  });

  test("refuses values that are no lists", () => {
    expect(checkTriggers({})).toBe("Malformed event parameter: triggers (must be array)");
  });

  test.each([
    ["manual", "manual"],
    ["startup", "startup"],
    ["catchup", "catch-up"],
  ])("allows one enabled %s trigger", (type, name) => {
    const twice = [
      { type, enabled: true },
      { type, enabled: true },
    ];
    expect(checkTriggers(twice)).toBe(`Only one ${name} rule is allowed in trigger list.`);
    expect(
      checkTriggers([
        { type, enabled: true },
        { type, enabled: false },
      ]),
    ).toBeUndefined();
  });

  test("refuses triggers that exclude each other", () => {
    const interval = { type: "interval", start: 0, duration: 60, enabled: true };
    const precision = { type: "precision", seconds: [1], enabled: true };
    const delay = { type: "delay", duration: 1, enabled: true };
    expect(checkTriggers([interval, precision])).toBe("Interval and precision triggers are mutually exclusive.");
    expect(checkTriggers([interval, delay])).toBe("Interval and delay triggers are mutually exclusive.");
    expect(checkTriggers([precision, delay])).toBe("Precision and delay triggers are mutually exclusive.");
  });
});
