import { expect, test } from "vitest";
import type { Check } from "../model.ts";
import { createPastCheck, type PastMinute } from "./standing.ts";

const check = (members: Partial<Check> = {}): Check =>
  ({
    ...{
      id: "c1",
      title: "Shop",
      category: "general",
      type: "http",
      every: 60,
      retries: 2,
      warn_days: 21,
      crit_days: 7,
    },
    ...members,
  }) as Check;
const minute = (at: number, up: number, count = 1): PastMinute => ({
  ...{ date: at * 60, up, count, ms: 5, days_left: 40 },
});
/** "up" or "down" with the number of consecutive failures, for each minute. */
const seen = (minutes: readonly PastMinute[], members?: Partial<Check>): string[] => {
  const next = createPastCheck(check(members));
  return minutes.map((each) => {
    const { down, failures } = next(each).check;
    return `${down ? "down" : "up"} ${failures}`;
  });
};

test.each<[string, readonly PastMinute[], Partial<Check>, readonly string[]]>([
  ["answers", [minute(1, 1), minute(2, 1)], {}, ["up 0", "up 0"]],
  [
    "failures, down after the retries",
    [1, 2, 3, 4].map((at) => minute(at, 0)),
    {},
    ["up 1", "up 2", "down 3", "down 4"],
  ],
  ["retries within the minute", [minute(1, 0, 3)], {}, ["down 3"]],
  ["an answer is up at once", [minute(1, 0, 3), minute(2, 1), minute(3, 0)], {}, ["down 3", "up 0", "up 1"]],
  ["failures after answers, then answers after failures", [minute(1, 0.5, 2), minute(2, 0.5, 2)], {}, ["up 1", "up 0"]],
  ["one of three places", [minute(1, 2 / 3, 3)], { from: ["engine", "a", "b"], retries: 0 }, ["up 0"]],
  ["two of three places", [minute(1, 1 / 3, 3)], { from: ["engine", "a", "b"], retries: 0 }, ["down 1"]],
  [
    "one of three, where one is enough",
    [minute(1, 2 / 3, 3)],
    { from: ["engine", "a", "b"], retries: 0, agree: 1 },
    ["down 1"],
  ],
])("%s", (_name, minutes, members, expected) => {
  expect(seen(minutes, members)).toEqual(expected);
});

test("the past check has the values that the timeline stores", () => {
  expect(createPastCheck(check())(minute(2, 1)).check).toMatchObject({
    ok: true,
    ms: 5,
    days_left: 40,
    last: 120,
    tags: [],
  });
  const { ms: _ms, days_left: _days, ...bare } = minute(2, 0);
  expect(createPastCheck(check())(bare).check).not.toHaveProperty("days_left");
});
