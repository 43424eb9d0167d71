import { expect, test } from "vitest";
import type { Alert } from "../../../../fleet/alerts/model.ts";
import { newAlert } from "../../../../fleet/alerts/rules/definition/inputs.ts";
import { sortedOut } from "./definitions.ts";

const alert = (members: Partial<Alert>): Alert =>
  newAlert({ title: "A", message: "", expression: "monitors.cpu > 5", ...members } as never, {
    ...{ id: "a", username: "ann", now: 0 },
  });
/** Extracts paths from an expression: words with dots and brackets, which is enough for these cases. */
const pathsOf = (expression: string): string[] => expression.match(/[a-z]\w*[.[\w\]"]*/g) ?? [];

const unkept = alert({ expression: "cpu.cores > 5" });
test.each<[string, Alert, Alert | undefined, "minutes" | "record" | "none", readonly string[]]>([
  ["monitors", alert({}), alert({}), "minutes", []],
  ["monitors by name", alert({ expression: 'monitors["x"] > deltas.y' }), alert({}), "minutes", []],
  [
    "a name that begins like a monitor",
    alert({ expression: "monitorsx.y" }),
    alert({ expression: "monitorsx.y" }),
    "record",
    ["monitorsx.y"],
  ],
  ["an unstored value", unkept, unkept, "record", ["cpu.cores"]],
  [
    "an unstored value in the recovery",
    alert({ recovery: "load[0]" }),
    alert({ recovery: "load[0]" }),
    "record",
    ["load[0]"],
  ],
  ["an unstored value, with other samples", { ...unkept, samples: 3 }, unkept, "minutes", ["cpu.cores"]],
  [
    "unstored values, with other tags",
    { ...unkept, severity: "critical", tags: ["x"] },
    unkept,
    "record",
    ["cpu.cores"],
  ],
  ["an unstored value, in a new alert", unkept, undefined, "minutes", ["cpu.cores"]],
  ["anything while it is disabled", alert({ enabled: false }), alert({}), "none", []],
  ["expectations of events", alert({ subject: "event", expression: "expect.overdue_sec" }), undefined, "minutes", []],
])("an alert that reads %s", (_name, tried, stored, where, unknown) => {
  const { byMinutes, byRecord, ...rest } = sortedOut([tried], new Map(stored ? [[stored.id, stored]] : []), pathsOf);
  expect([byMinutes.length, byRecord.length]).toEqual([Number(where === "minutes"), Number(where === "record")]);
  expect(rest.unknown).toEqual(unknown);
});
