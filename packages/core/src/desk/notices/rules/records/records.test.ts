import { expect, test } from "vitest";
import { newReceiver, newRoute, receiverFault, routeFault } from "./records.ts";

const stamp = { id: "x", username: "ann", now: 0 };
const steps = [{ after: 0, to: ["ops"] }];

test.each<[Record<string, unknown>, string | undefined]>([
  [{}, undefined],
  [{ active: [{ from: "08:00", to: "18:00", timezone: "Europe/Berlin" }] }, undefined],
  [{ active: [null] }, "Invalid value for active"],
  [{ active: ["08:00"] }, "Invalid value for active"],
  [{ active: [{ from: "8", to: "18:00" }] }, "Invalid value for active"],
  [{ active: [{ from: "08:00", to: "18:00", timezone: "Mars" }] }, "Unknown time zone: Mars"],
  [{ digest: { at: ["08:00"], timezone: null } }, undefined],
  [{ steps: [] }, "A route needs at least one step with a receiver."],
  [{ steps: [{ after: 0, to: [] }] }, "A route needs at least one step with a receiver."],
  [{ steps: [{ after: 5, to: ["ops"] }] }, "Steps must come in ascending order, the first at 0."],
  [{ steps: [...steps, { after: 0, to: ["lead"] }] }, "Steps must come in ascending order, the first at 0."],
  [{ steps: [null] }, "Invalid value for steps"],
  [{ repeat_interval: 60 }, "The repeat interval must not be shorter than the group interval."],
  [{ match: { alerts: [1] } }, "Invalid value for match"],
  [{ match: "all" }, "Invalid value for match"],
  [{ match: null, active: null, group_wait: null, repeat_interval: null, group_interval: null }, undefined],
  [{ match: { subjects: ["server", "presence", "event", "heartbeat", "check"] } }, undefined],
  [{ match: { subjects: ["ticket"] } }, "Invalid value for match"],
  [{ match: { subjects: "check" } }, "Invalid value for match"],
  [{ tell_brief: true, digest: { at: ["08:00"] } }, undefined],
  [{ tell_brief: "yes" }, "Invalid value for tell_brief"],
  [{ group_by: ["host"] }, "Invalid value for group_by"],
])("a route with %j: %s", (members, fault) => {
  expect(routeFault(newRoute({ title: "T", steps, ...members } as never, stamp, 0))).toBe(fault);
});

test.each<[Record<string, unknown>, string | undefined]>([
  [{ type: "mail", email: "a@b.example" }, undefined],
  [{ type: "mail" }, "Invalid value for email"],
  [{ type: "user", users: null }, "Invalid value for users"],
  [{ type: "user", users: [] }, "Invalid value for users"],
  [{ type: "user", users: ["@admins"] }, undefined],
  [{ type: "pager" }, "Invalid value for type"],
  [{ type: "mail", email: "a@b.example", max_per_hour: 1001 }, "Invalid value for max_per_hour"],
  [{ type: "mail", email: "a@b.example", format: "slack" }, "Invalid value for format"],
])("a receiver with %j: %s", (members, fault) => {
  expect(receiverFault(newReceiver({ title: "T", ...members } as never, stamp))).toBe(fault);
});
