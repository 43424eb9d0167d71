import { expect, test } from "vitest";
import { tableName } from "./table-name.ts";

test.each([
  ["tickets", "Tickets"],
  ["alerts", "Alert rules"],
  ["alert_invocations", "Firings of alerts"],
  ["web_hooks", "Web hooks"],
  ["job_log_chunks", undefined],
  ["constructor", undefined],
])("records of the table %s are called %j", (name, words) => {
  expect(tableName(name)).toBe(words);
});
