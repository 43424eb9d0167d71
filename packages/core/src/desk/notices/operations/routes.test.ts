import { expect, test } from "vitest";
import { addPeople } from "../../../../test/desk/notices/people.ts";
import { cradleProbe, refusalOf } from "../../../../test/engine.ts";
import { hot } from "../../../../test/fleet/alert-setup.ts";
import { useFleets } from "../../../../test/fleet/fleet.ts";

const start = useFleets();
/** A Monday, 10:00 UTC. */
const MONDAY = Date.UTC(2026, 0, 5, 10) / 1000;
const DAY = 86_400;

async function setUp() {
  const probe = cradleProbe();
  const { signalbox } = await start({ config: { tz: "UTC" }, plugins: [probe.plugin] });
  await addPeople(probe.cradle(), ["ann", "bob"]);
  const { api } = signalbox;
  await api.createAlert({ ...hot, severity: "critical", tags: ["shop"] });
  const layer = {
    users: ["ann", "bob"],
    turn: "day" as const,
    every: 1,
    handover: { at: "09:00" },
    start: "2026-01-05",
  };
  await api.createRota({ id: "ops", title: "Ops", timezone: "UTC", layers: [layer] });
  await api.createReceiver({ id: "duty", title: "On duty", type: "rota", rota: "ops" });
  await api.createReceiver({ id: "mail", title: "Mail", type: "mail", email: "ops@example.com" });
  const route = (id: string, to: string, members: object) =>
    api.createRoute({ id, title: id, steps: [{ after: 0, to: [to] }], ...members } as never);
  await route("late", "mail", {});
  await route("office", "duty", {
    ...{ match: { severities: ["critical"], tags: ["shop"] } },
    active: [{ weekdays: [1, 2], from: "08:00", to: "18:00", timezone: "UTC" }],
  });
  await api.multiUpdateRoute({ items: [{ id: "office", sort_order: -1 }] });
  return api;
}

test.each([
  [MONDAY, ["office: It matches. ann", "late: A route before it matches and does not go on. "]],
  [MONDAY + DAY, ["office: It matches. bob", "late: A route before it matches and does not go on. "]],
  [MONDAY + 2 * DAY, ["office: It is outside of its hours. ann", "late: It matches. "]],
  [MONDAY - 7 * DAY, ["office: It matches. nobody", "late: A route before it matches and does not go on. "]],
])("at %d the routes of an alert, in their order, and who is on duty: %j", async (date, expected) => {
  const api = await setUp();
  const { routes: rows } = await api.testRoute({ alert: hot.id, date });
  const own = rows.filter(({ id }) => id === "office" || id === "late");
  const duty = (all: Readonly<Record<string, string | null>>): string =>
    "duty" in all ? (all["duty"] ?? "nobody") : "";
  expect(own.map(({ id, why, on_duty }) => `${id}: ${why} ${duty(on_duty)}`)).toEqual(expected);
});

test("given parameters override the members of the alert", async () => {
  const api = await setUp();
  const why = async (asked: object) => (await api.testRoute({ alert: hot.id, date: MONDAY, ...asked })).routes[0]?.why;
  expect(await why({})).toBe("It matches.");
  expect(await why({ severity: "info" })).toBe("Its list of severities does not name the firing.");
  expect(await why({ tags: ["web"] })).toBe("Its list of tags does not name the firing.");
  expect(await why({ alert: "unknown" })).toBe("Its list of severities does not name the firing.");
});

test("the subject is a server, another record with its type, or a type alone", async () => {
  const api = await setUp();
  await api.createCategory({ id: "shop", title: "Shop" } as never);
  await api.createHeartbeat({ id: "backup", title: "Backup", every: 3600, category: "shop", severity: "critical" });
  const route = (id: string, match: object) =>
    api.createRoute({ id, title: id, continue: true, match, steps: [{ after: 0, to: ["mail"] }] } as never);
  // The seeded route "late" matches everything and does not continue.
  await api.deleteRoute({ id: "late" });
  await route("of_server", { servers: ["s1"] });
  await route("of_category", { categories: ["shop"], severities: ["critical"] });
  await route("of_type", { subjects: ["heartbeat"] });
  const own = ["of_server", "of_category", "of_type"];
  const taken = async (asked: object) =>
    (await api.testRoute(asked as never)).routes.flatMap(({ id, matches }) => (matches && own.includes(id) ? id : []));
  expect(await taken({ subject: "s1" })).toEqual(["of_server"]);
  expect(await taken({ subject: "heartbeat:backup", date: String(MONDAY) })).toEqual(["of_category", "of_type"]);
  expect(await taken({ subject: "heartbeat" })).toEqual(["of_type"]);
  expect(await refusalOf(api.testRoute({ subject: "heartbeat:gone" }))).toEqual({
    code: "notfound",
    description: "Failed to locate heartbeat: gone",
  });
});

test("the place of a route in the order is a number", async () => {
  const api = await setUp();
  const moved = api.updateRoute({ id: "late", sort_order: "first" } as never);
  expect(await refusalOf(moved)).toEqual({ code: "route", description: "Invalid value for sort_order" });
});
