import { expect, test } from "vitest";
import { inLine, isFallbackDue, isUnanswered, nextAttempt, timesAgain } from "./attempts.ts";

test.each([
  [1, 1002, "HTTP 503 Service Unavailable", 1007],
  [2, 1007, "HTTP 503 Service Unavailable", 1017],
  [3, 1017, "HTTP 503 Service Unavailable", 1032],
  [9, 1902, "timeout", 2802],
  [10, 2802, "timeout", 4602],
  [11, 4602, "timeout", undefined],
  // The node was down in the meantime.
  [2, 1500, "timeout", 1505],
  [1, 1000, "Error: HTTP 404 Not Found", undefined],
  [1, 1000, "Failed to send e-mail: x: not a mail address", undefined],
  [1, 1000, "Notification Channel not found: ops", undefined],
  [1, 1002, "HTTP 429 Too Many Requests", 1007],
])("attempt %d at %d, the first at 1002, %s: again at %s", (attempts, now, description, expected) => {
  expect(nextAttempt({ date: 1000, first: 1002, attempts, now, description })).toBe(expected);
});

test.each([
  ["critical", 299, false],
  ["critical", 300, true],
  ["warning", 300, false],
  ["warning", 900, true],
  ["info", 899, false],
])("a %s notice that has failed for %d s is sent to the fallback: %s", (severity, waited, due) => {
  expect(isFallbackDue({ severity, date: 1000, now: 1000 + waited })).toBe(due);
});

test.each<[string | number, string, boolean]>([
  ["timeout", "Action took longer than 30 seconds", true],
  ["web_hook", "Request to chat.example failed: ECONNRESET", true],
  ["web_hook", "Request to chat.example failed: ECONNREFUSED", false],
  ["web_hook", "HTTP 503 Service Unavailable", false],
])("code %s, %s: it may have been delivered: %s", (code, description, expected) => {
  expect(isUnanswered({ code, description })).toBe(expected);
});

const notice = (id: string, problem: string, seq: number, date: number) => ({ id, problem, seq, date });

test.each([
  ["by their dates", [notice("b", "p2", 1, 20), notice("a", "p1", 1, 10)], "a b"],
  ["by their numbers in the same second", [notice("b", "p1", 2, 10), notice("a", "p1", 1, 10)], "a b"],
  [
    "by their numbers where the clock was set back between them",
    [notice("end", "p1", 2, 20), notice("other", "p2", 1, 30), notice("firing", "p1", 1, 90_000)],
    "firing end other",
  ],
])("notices are ordered %s", (_how, waiting, expected) => {
  expect(
    inLine(waiting)
      .map(({ id }) => id)
      .join(" "),
  ).toBe(expected);
});

test.each<[string, Parameters<typeof timesAgain>[0], ReturnType<typeof timesAgain>]>([
  ["that was not tried", { date: 90, next: 90, attempts: 0 }, undefined],
  ["that is retried by the schedule", { date: 1, begun: 1, next: 1801, attempts: 9 }, undefined],
  ["that waits as long as the service asks", { date: 1, begun: 1, next: 400, attempts: 1 }, undefined],
  ["of a clock that was ahead", { date: 9000, next: 9000, attempts: 0 }, { date: 100, next: 100 }],
  [
    "tried by a clock that was ahead",
    { date: 9000, begun: 9001, next: 9006, attempts: 1 },
    { date: 100, begun: 100, next: 100 },
  ],
  [
    "decided before the clock went ahead",
    { date: 90, begun: 9001, next: 9006, attempts: 1 },
    { date: 90, begun: 100, next: 400 },
  ],
])("at 100 the times of a notice %s", (_which, times, expected) => {
  expect(timesAgain(times, 100)).toEqual(expected);
});
