import { describe, expect, test } from "vitest";
import { expectFault, readExpect } from "./expect.ts";

describe("expectations of an event", () => {
  test.each<[unknown, unknown]>([
    [
      { success_every: "26 hours", finish_within: "40 minutes" },
      { success_every: 93_600, finish_within: 2400 },
    ],
    [
      { success_every: "3600", grace: "0", max_failures: 3 },
      { success_every: 3600, grace: 0, max_failures: 3 },
    ],
    [{ success_every: "often", grace: null }, { success_every: "often" }],
    // No unit begins with "p", so the text is no duration.
    [{ success_every: "5 parsecs" }, { success_every: "5 parsecs" }],
    ["daily", "daily"],
    [null, null],
  ])("%j is read as %j", (sent, stored) => {
    expect(readExpect(sent)).toEqual(stored);
  });

  test.each<[unknown, string | undefined]>([
    [undefined, undefined],
    [null, undefined],
    [{ success_every: 60 }, undefined],
    [{ max_failures: 0 }, undefined],
    [{ finish_within: 1, grace: 0, failures_per: 60 }, undefined],
    ["daily", "Invalid value for expect"],
    [[], "Invalid value for expect"],
    [{ success_every: 59 }, "Invalid value for expect.success_every"],
    [{ success_every: "often" }, "Invalid value for expect.success_every"],
    [{ finish_within: 1.5 }, "Invalid value for expect.finish_within"],
    [{ max_failures: 1001 }, "Invalid value for expect.max_failures"],
    [{ max_failures: -1 }, "Invalid value for expect.max_failures"],
    [{ start_within: 5, severity: "critical", from: 1 }, undefined],
    [{ start_within: 0 }, "Invalid value for expect.start_within"],
    [{ max_failures: 0, severity: "bad" }, "Invalid value for expect.severity"],
    [{ max_failures: 0, from: -1 }, "Invalid value for expect.from"],
    [{ constructor: 5 }, "Invalid value for expect.constructor"],
    [{}, "expect needs at least one of success_every, start_within, finish_within, max_failures."],
    [{ grace: 5 }, "expect needs at least one of success_every, start_within, finish_within, max_failures."],
  ])("%j is refused with %j", (sent, fault) => {
    expect(expectFault(sent)).toBe(fault);
  });
});
