import { expect, test } from "vitest";
import type { Alert } from "../../../../fleet/alerts/model.ts";
import { newReceiver, newRoute } from "../records/records.ts";
import { readTrial } from "./trial.ts";

const stamp = { username: "ann", now: 0 };
const steps = [{ after: 0, to: ["ops"] }];
const stored = {
  routes: [newRoute({ title: "All", steps } as never, { ...stamp, id: "all" }, 0)],
  receivers: [newReceiver({ title: "Ops", type: "mail", email: "a@b.example" } as never, { ...stamp, id: "ops" })],
  alerts: [{ id: "hot", title: "Too hot", severity: "warning", enabled: true } as Alert],
};
const none = { routes: {}, receivers: {}, alerts: {} };
type Changes = Parameters<typeof readTrial>[1];

test.each<[Partial<Changes>, string]>([
  [{ routes: { all: { group_by: ["host"] } } }, "Invalid value for group_by"],
  [{ routes: { more: {} } }, "A route needs at least one step with a receiver."],
  [{ routes: { more: { steps: [{ after: 0, to: ["lead"] }] } } }, "Receiver not found: lead"],
  [{ receivers: { ops: null } }, "Receiver not found: ops"],
  [{ receivers: { lead: { type: "pager" } } }, "Invalid value for type"],
  [{ alerts: { cold: { severity: "info" } } }, "Alert not found: cold"],
  [{ alerts: { hot: { severity: "bad" } } }, "Invalid value for severity"],
  [{ alerts: { hot: { flap_count: 1 } } }, "Invalid value for flap_count"],
  [
    { alerts: { hot: { expression: "1" } } },
    "How it is told is tried out here, and what it is about by backtest_alert: expression",
  ],
])("%j is refused", (changes, sentence) => {
  expect(readTrial(stored, { ...none, ...changes })).toBe(sentence);
});

test("members stand in place of stored ones, null takes away, and new ones come last", () => {
  const more = { title: "More", steps: [{ after: 0, to: ["lead"] }] };
  const trial = readTrial(stored, {
    routes: { all: { group_wait: 5 }, more },
    receivers: { lead: { type: "mail", email: "lead@b.example" } },
    alerts: { hot: { severity: "critical" } },
  });
  if (typeof trial === "string") throw new Error(trial);
  expect(trial.routes.get("all")).toEqual({ ...stored.routes[0], group_wait: 5 });
  expect(trial.routes.get("more")).toMatchObject({ id: "more", sort_order: 1, enabled: true });
  expect([...trial.receivers.keys()]).toEqual(["ops", "lead"]);
  expect(trial.alerts.get("hot")?.severity).toBe("critical");
  const without = readTrial(stored, { routes: { all: null }, receivers: {}, alerts: { hot: null } });
  expect(without).toMatchObject({ routes: new Map(), alerts: new Map() });
  expect(readTrial(stored, none)).toMatchObject({ routes: new Map([["all", stored.routes[0]]]) });
});
