import { expect, test } from "vitest";
import type { Cause } from "../../../../wire/cause.ts";
import { launchCause, retryCause } from "./cause.ts";

const event = { id: "e1" };
const caller: Cause = { kind: "user", id: "ada", request: "r1" };

test.each<[Parameters<typeof launchCause>[0], Omit<Cause, "request">]>([
  [
    { source: "scheduler", event },
    { kind: "schedule", id: "e1" },
  ],
  [
    { source: "plugin", event },
    { kind: "schedule", id: "e1" },
  ],
  [
    { source: "startup", event },
    { kind: "schedule", id: "e1" },
  ],
  [
    { source: "magic", event },
    { kind: "magic", id: "e1" },
  ],
  [
    { source: "user", event },
    { kind: "user", id: "ada" },
  ],
  [
    { source: "key", event, parent: { job: "j1" } },
    { kind: "user", id: "ada" },
  ],
  [
    { source: "action", event, parent: { job: "j1" } },
    { kind: "job", id: "j1" },
  ],
  [
    { source: "workflow", event, workflow: { job: "j2", event: "w" } },
    { kind: "workflow", id: "j2" },
  ],
  [
    { source: "alert", event, input: { data: { alert: { id: "a1", alert: "hot" } } } },
    { kind: "alert", id: "a1" },
  ],
])("the cause of the launch %j is %j, with the request of the call", (asked, cause) => {
  expect(launchCause(asked, caller)).toEqual({ ...cause, request: "r1" });
  expect(launchCause(asked, { kind: "system", id: "system" })).not.toHaveProperty("request");
});

test("the cause of a retry is the job before it, with its request", () => {
  expect(retryCause({ id: "j1", cause: caller })).toEqual({ kind: "job", id: "j1", request: "r1" });
  expect(retryCause({ id: "j1" })).toEqual({ kind: "job", id: "j1" });
});
