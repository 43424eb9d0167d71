import { expect, test } from "vitest";
import type { Receiver } from "../../model.ts";
import { timesIn } from "../texts/words.ts";
import { lastText } from "./last-in-hour.ts";
import { lastInHour, perHourOf } from "./rate.ts";

test.each<[Partial<Receiver> | undefined, string, number]>([
  [{ type: "mail" }, "warning", 30],
  [{ type: "mail" }, "critical", 60],
  [{ type: "mail", max_per_hour: 5 }, "info", 5],
  [{ type: "mail", max_per_hour: 0 }, "critical", 0],
  [{ type: "web_hook" }, "critical", 0],
  [{ type: "web_hook", max_per_hour: 5 }, "critical", 10],
  [undefined, "warning", 30],
])("%j gets of %s notices within an hour: %d", (receiver, severity, most) => {
  expect(perHourOf(receiver as Receiver | undefined, severity)).toBe(most);
});

test.each<[Partial<Receiver>, number, ReturnType<typeof lastInHour>]>([
  [{ type: "mail" }, 28, undefined],
  [{ type: "mail" }, 29, { until: 3700, but_critical: true }],
  [{ type: "mail" }, 30, undefined],
  [{ type: "mail" }, 59, { until: 3700 }],
  [{ type: "mail", max_per_hour: 1 }, 0, { until: 3700, but_critical: true }],
  [{ type: "mail", max_per_hour: 0 }, 0, undefined],
  [{ type: "pagerduty" }, 29, undefined],
])("for %j after %d notices the next one is the last: %j", (receiver, count, expected) => {
  expect(lastInHour(receiver as Receiver, { count, oldest: 100 })).toEqual(expected);
});

test.each([
  [{ until: 52_860, waiting: 4 }, "This is the last notice until 14:41; 4 alerts wait."],
  [
    { until: 52_860, waiting: 1, but_critical: true },
    "This is the last notice until 14:41, but for critical ones; 1 alert waits.",
  ],
  [{ until: 52_860, waiting: 0 }, "This is the last notice until 14:41; 0 alerts wait."],
])("%j is reported as %s", (last, expected) => {
  expect(lastText(last, timesIn("UTC", 0))).toBe(expected);
});
