import { expect, test } from "vitest";
import { threadMs } from "../../../../test/thread-time.ts";
import { locationOf, notificationText } from "./message.ts";

test.each([
  ["Signalbox Backup failed on web01: https://ops.example/#Job?id=j1", "Backup failed on web01"],
  ["Signalbox Backup failed with code 5: disk full: http://a.example/x", "Backup failed with code 5: disk full"],
  ["Signalbox See https://a.example now", "See now"],
  ["Signalboxes are full", "Signalboxes are full"],
  ["Other Alert: HTTPS://A.EXAMPLE/", "Other Alert"],
  ["two\nlines\u0007", "two lines"],
  ["", ""],
])("%j is shown as %j", (text, expected) => {
  expect(notificationText(text, "Signalbox")).toBe(expected);
});

test.each([":", ": ", " "])("a notification takes time by its length alone: %j", (unit) => {
  expect(threadMs(() => notificationText(`${unit.repeat(100_000)}x`, "Signalbox"))).toBeLessThan(1000);
});

test("a link leads to the page of the job or of the alert", () => {
  expect(locationOf("job", { job: { id: "j1" }, alert: { id: "a1" } })).toBe("#Job?id=j1");
  expect(locationOf("alert", { alert: { id: "a1" } })).toBe("#Alerts?id=a1");
});
