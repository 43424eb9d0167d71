import { expect, test } from "vitest";
import { cronicleLine } from "./cronicle.ts";

const page = (list: string, entry: object) =>
  cronicleLine(`global/${list}/0 - ${JSON.stringify({ type: "list_page", items: [entry] })}`);

test.each<[string, object]>([
  ["# Cronicle Data Export v1.0", { kind: "nothing" }],
  ["", { kind: "nothing" }],
  ["nonsense", { kind: "fault", reason: "Not a line of a Cronicle backup" }],
  ["users/a - {", { kind: "fault", reason: "Not a line of a Cronicle backup" }],
  ['users/a - {"username":', { kind: "fault", reason: "Not valid JSON" }],
  ["global/api_keys/0 - {}", { kind: "record", key: "cronicle/global/api_keys/0" }],
  ["global/__proto__/0 - {}", { kind: "record", key: "cronicle/global/__proto__/0" }],
  ["global/schedule - {}", { kind: "record", key: "cronicle/global/schedule" }],
])("%j", (text, expected) => {
  const line = cronicleLine(text);
  if (text === "users/a - {") expect(line.kind).toBe("fault");
  else expect(line).toMatchObject(expected);
});

test("an event is imported disabled, with its times and limits", () => {
  const event = {
    ...{ id: "Ejk4", title: "Nightly", enabled: 1, category: "General", plugin: "shellplug", target: "allgrp" },
    ...{ timing: { hours: [4], minutes: [30] }, timezone: "Europe/Berlin", catch_up: 1, timeout: 3600 },
    ...{
      max_children: 1,
      retries: 2,
      retry_delay: 30,
      params: { script: "x" },
      username: "joe",
      created: 5.5,
      modified: 6,
    },
  };
  expect(page("schedule", event)).toEqual({
    kind: "record",
    key: "global/events/0",
    value: {
      type: "list_page",
      items: [
        {
          ...{
            id: "ejk4",
            title: "Nightly",
            enabled: false,
            category: "general",
            plugin: "shellplug",
            params: { script: "x" },
          },
          ...{ fields: [], actions: [], notes: "", algo: "random", targets: ["allgrp"] },
          triggers: [
            { type: "manual", enabled: true },
            { type: "schedule", enabled: true, hours: [4], minutes: [30], timezone: "Europe/Berlin" },
            { type: "catchup", enabled: true },
          ],
          limits: [
            { type: "time", enabled: true, duration: 3600, abort: true },
            { type: "job", enabled: true, amount: 1 },
            { type: "retry", enabled: true, amount: 2, duration: 30 },
          ],
          ...{ username: "joe", created: 5, modified: 6, revision: 1 },
        },
      ],
    },
  });
});

test("categories, groups and accounts", () => {
  expect(page("categories", { id: "General", title: "G", enabled: 1, description: "d" })).toMatchObject({
    key: "global/categories/0",
    value: { items: [{ id: "general", title: "G", enabled: true, notes: "d", username: "admin" }] },
  });
  expect(page("server_groups", { id: "allgrp", title: "All", regexp: ".+" })).toMatchObject({
    key: "global/groups/0",
    value: { items: [{ id: "allgrp", hostname_match: ".+", alert_actions: [] }] },
  });
  expect(cronicleLine('users/joe - {"username":"joe","privileges":{"admin":1}}')).toMatchObject({
    key: "users/joe",
    value: { username: "joe", full_name: "", privileges: { admin: 1 } },
  });
});
