import { expect, test } from "vitest";
import { MINUTE, setUpDelivery } from "../../../test/desk/delivery-setup.ts";
import { useFleets } from "../../../test/fleet/fleet.ts";

const start = useFleets();

const LISTS = ["severities", "subjects", "alerts", "tags", "groups", "servers", "categories"];
const nulls = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, null]));
const DEFAULTED = [
  ...["match", "continue", "active", "outside", "group_by", "group_wait", "group_interval", "repeat_interval", "clear"],
  ...["loop", "tell_brief", "digest"],
];
/** Every day, in every time zone, except for the last minute of the day. */
const always = { from: "00:00", to: "23:59", ...nulls(["weekdays", "days", "timezone"]) };

// Forms send null for fields that were left empty.
test.each<[string, object]>([
  ["lists of a route", { match: nulls(LISTS) }],
  ["days of its hours", { active: [always] }],
  ["members of a route with defaults", nulls(DEFAULTED)],
])("%s that are null hold no firing back", async (_what, members) => {
  const at = await setUpDelivery(start, { status: 200 });
  await at.api.updateRoute({ id: "all", ...members } as never);
  await at.minute(60);
  expect(at.requests.length).toBe(1);
});

test("an alert without samples, groups and actions fires at the first minute, on any server", async () => {
  const at = await setUpDelivery(start, { status: 200 });
  await at.api.updateAlert({ id: "hot", ...nulls(["samples", "groups", "actions"]) } as never);
  await at.minute(60);
  expect(at.requests.length).toBe(1);
});

test("a silence that recurs on days that are null is in force on all days", async () => {
  const at = await setUpDelivery(start, { status: 200 });
  const others = ["servers", "groups", "events", "heartbeats", "checks", "severities", "tags"];
  const silence = { title: "S", alerts: ["hot"], recurring: always, ...nulls(others) };
  const { id } = (await at.api.createSilence(silence as never)).silence;
  await at.stay(2 * MINUTE);
  expect(at.requests).toEqual([]);
  const [problem] = (await at.api.getProblems({})).rows;
  expect(problem?.members[0]?.hold).toMatchObject({ kind: "silence", id });
  await at.api.deleteSilence({ id });
  await at.fleet.clock.advance(15);
  expect(at.requests).toHaveLength(1);
});

test("members of another type that are null do not keep a receiver from being notified", async () => {
  const at = await setUpDelivery(start, { status: 200 });
  const others = ["users", "channel", "web_hook", "rota"];
  await at.api.updateReceiver({ id: "ops", ...nulls(others) } as never);
  await at.api.updateRoute({ id: "all", steps: [{ after: 0, to: ["ops"] }] } as never);
  await at.minute(60);
  const { rows } = await at.api.searchNotices({ limit: 5, query: "receiver:ops" });
  expect(rows).toMatchObject([{ outcome: "sent" }]);
});
