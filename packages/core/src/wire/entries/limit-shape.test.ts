import { describe, expect, test } from "vitest";
import * as z from "zod";
import { describeIssue } from "../issues.ts";
import { checkLimits, limitList } from "./limit-shape.ts";

const limit = (type: unknown, members: object = {}) => ({ enabled: true, type, ...members });
const queueFault = "Limit Configuration: The 'Max Queue Limit' requires a 'Max Concurrent Jobs' limit to be present.";

const refused: readonly (readonly [unknown, string])[] = [
  [null, " (not an object)"],
  ["job", " (not an object)"],
  [[], " (not an object)"],
  [{ type: "job", amount: 1 }, ": Missing enabled flag"],
  [limit("speed"), ": Unknown type"],
  [limit(undefined), ": Unknown type"],
  [limit("toString"), ": Unknown type"],
  [limit("mem"), ": Invalid memory amount (not a number)"],
  [limit("mem", { amount: 0 }), ": Invalid memory amount (not a number)"],
  [limit("mem", { amount: "5" }), ": Invalid memory amount (not a number)"],
  [limit("mem", { amount: -5 }), ": Invalid memory amount (not a number)"],
  [limit("mem", { amount: 5, duration: "1" }), ": Invalid memory duration (not a number)"],
  [limit("mem", { amount: 5, duration: -1 }), ": Invalid memory duration (not a number)"],
  [limit("cpu", { amount: 0 }), ": Invalid CPU amount (not a number)"],
  [limit("cpu", { amount: 5, duration: false }), ": Invalid CPU duration (not a number)"],
  [limit("log"), ": Invalid max log size (not a number)"],
  [limit("log", { amount: -1 }), ": Invalid max log size (not a number)"],
  [limit("log", { amount: Number.NaN }), ": Invalid max log size (not a number)"],
  [limit("time", { amount: 5 }), ": Invalid time limit (not a number)"],
  [limit("time", { duration: -5 }), ": Invalid time limit (not a number)"],
  [limit("job"), ": Invalid max jobs (must be a positive number)"],
  [limit("job", { amount: 0 }), ": Invalid max jobs (must be a positive number)"],
  [limit("job", { amount: -1 }), ": Invalid max jobs (must be a positive number)"],
  [limit("job", { amount: 1, weight: -1 }), ": Invalid max jobs (must be a positive number)"],
  [limit("retry", { amount: "2" }), ": Invalid max retries (not a number)"],
  [limit("retry", { amount: -2 }), ": Invalid max retries (not a number)"],
  [limit("retry", { amount: 2, duration: "60" }), ": Invalid retry delay (not a number)"],
  [limit("retry", { amount: 2, duration: -60 }), ": Invalid retry delay (not a number)"],
  [limit("retry", { amount: 2, backoff: "2" }), ": Invalid retry delay (not a number)"],
  [limit("retry", { amount: 2, max_delay: -1 }), ": Invalid retry delay (not a number)"],
  [limit("retry", { amount: 2, jitter: {} }), ": Invalid retry delay (not a number)"],
  [limit("queue", { amount: "2" }), ": Invalid max queue (not a number)"],
  [limit("queue", { amount: -2 }), ": Invalid max queue (not a number)"],
  [limit("file", { amount: [] }), ": Invalid max files (not a number)"],
  [limit("file", { size: "1 MB" }), ": Invalid max file size (not a number)"],
  [limit("file", { size: -1 }), ": Invalid max file size (not a number)"],
  [limit("file", { accept: [".txt"] }), ": Invalid file type list (not a string)"],
  [limit("file", { accept: ".txt;.csv" }), ": Invalid file type list (contains illegal characters)"],
  [limit("day", { amount: 5 }), ": Invalid condition (unknown)"],
  [limit("day", { condition: "tag:x" }), ": Invalid condition (unknown)"],
  [limit("day", { condition: "start", amount: "5" }), ": Invalid max condition count (not a number)"],
  [limit("day", { condition: "start", amount: -5 }), ": Invalid max condition count (not a number)"],
  [limit("tag", { amount: {} }), ": Invalid max tags (not a number)"],
];

const accepted: readonly unknown[] = [
  limit("mem", { amount: 1 }),
  limit("mem", { amount: 1, duration: 0 }),
  limit("cpu", { amount: 150.5, duration: null }),
  limit("log", { amount: 1 }),
  limit("time", { duration: 0.5 }),
  limit("job", { amount: 1, weight: 0 }),
  limit("retry"),
  limit("retry", { amount: 0, duration: 0 }),
  limit("queue"),
  limit("queue", { amount: 0 }),
  limit("file"),
  limit("file", { amount: 0, size: 0, accept: "" }),
  limit("file", { accept: ".txt, .tar.gz,no-ext" }),
  ...["start", "complete", "continue", "success", "error", "user", "warning", "critical", "abort"].map((condition) =>
    limit("day", { condition }),
  ),
  limit("tag", { amount: 0 }),
  { enabled: 0, type: "queue", amount: 5 },
  { enabled: null, type: "tag" },
  limit("tag", { unknown: { member: [] } }),
];

describe("checkLimits", () => {
  test.each([undefined, null, {}, "x", 5])("refuses %j as a list", (value) => {
    expect(checkLimits(value)).toBe("Malformed event parameter: limits (must be array)");
  });

  test.each(refused)("refuses %j", (entry, fault) => {
    expect(checkLimits([entry])).toBe(`Malformed limit entry #1${fault}`);
  });

  test.each(accepted)("accepts %j", (entry) => {
    expect(checkLimits([entry])).toBeUndefined();
  });

  test("accepts an empty list", () => {
    expect(checkLimits([])).toBeUndefined();
  });

  test("names the first bad entry, counted from 1", () => {
    expect(checkLimits([limit("retry"), limit("nope"), null])).toBe("Malformed limit entry #2: Unknown type");
  });

  test.each<[string, object[], string | undefined]>([
    ["a queue alone", [limit("queue", { amount: 1 })], queueFault],
    ["a queue beside a job limit", [limit("queue", { amount: 1 }), limit("job", { amount: 1 })], undefined],
    [
      "a queue beside a disabled job limit",
      [limit("queue", { amount: 1 }), { enabled: false, type: "job", amount: 1 }],
      queueFault,
    ],
    ["a disabled queue alone", [{ enabled: false, type: "queue", amount: 1 }], undefined],
    ["a queue of no places alone", [limit("queue", { amount: 0 })], undefined],
  ])("checks %s", (_name, limits, fault) => {
    expect(checkLimits(limits)).toBe(fault);
  });

  test("faults of entries come before the queue rule", () => {
    expect(checkLimits([limit("queue", { amount: 1 }), limit("nope")])).toBe("Malformed limit entry #2: Unknown type");
  });
});

test("limitList passes the message through a schema", () => {
  const schema = z.looseObject({ limits: limitList().optional() });
  const input = { limits: [limit("nope")] };
  const issue = schema.safeParse(input).error?.issues[0];
  expect(issue && describeIssue(issue, input)).toBe("Malformed limit entry #1: Unknown type");
  expect(schema.parse({ limits: [limit("retry")] }).limits).toEqual([limit("retry")]);
  expect(schema.parse({})).toEqual({});
});
