import { expect, test } from "vitest";
import { createExpressions } from "../../../../expressions/engine.ts";
import { laterAlerts } from "./presets.ts";

const expressions = createExpressions();

test.each([
  [{ failures: 1, failures_over: 1 }, "1 failure, 1 more than allowed"],
  [{ failures: 5, failures_over: 2 }, "5 failures, 2 more than allowed"],
])("the message about a failing event with %j contains %j", (counted, text) => {
  const failing = laterAlerts(0)
    .get("alerts.events")
    ?.find(({ id }) => id === "event_failing");
  expect(expressions.compileTemplate(failing?.message ?? "").expand({ expect: counted })).toBe(text);
});
