import { expect, test } from "vitest";
import { isFallbackDue, isUnanswered, nextAttempt } from "./attempts.ts";

test.each([
  [1, 1002, "HTTP 503 Service Unavailable", 1007],
  [2, 1007, "HTTP 503 Service Unavailable", 1017],
  [3, 1017, "HTTP 503 Service Unavailable", 1032],
  [9, 1902, "timeout", 2802],
  [10, 2802, "timeout", 4602],
  [11, 4602, "timeout", undefined],
  // The node was away meanwhile.
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
])("a %s notice that has not arrived for %d s is told to the fallback: %s", (severity, waited, due) => {
  expect(isFallbackDue({ severity, date: 1000, now: 1000 + waited })).toBe(due);
});

test.each<[string | number, string, boolean]>([
  ["timeout", "Action took longer than 30 seconds", true],
  ["web_hook", "Request to chat.example failed: ECONNRESET", true],
  ["web_hook", "Request to chat.example failed: ECONNREFUSED", false],
  ["web_hook", "HTTP 503 Service Unavailable", false],
])("code %s, %s: it may have been taken: %s", (code, description, expected) => {
  expect(isUnanswered({ code, description })).toBe(expected);
});
