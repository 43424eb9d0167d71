import { expect, test } from "vitest";
import { type Asked, routesOf, type Told } from "./routes.ts";

const rule = (more: Partial<Told> = {}): Told => ({ id: "busy", ...more }) as Told;
const route = (id: string, match: Asked["match"] = {}, more: Partial<Asked> = {}): Asked => ({
  ...{ id, title: id, enabled: true, sort_order: 0, match, active: [], continue: false },
  ...more,
});
const found = (of: Told, ...routes: readonly Asked[]) => routesOf(of, routes).map(({ id }) => id);

test("the first route that takes all firings of a rule is the last one", () => {
  expect(found(rule(), route("b"), route("a", { alerts: ["busy"] }))).toEqual(["a"]);
  expect(found(rule(), route("a", { alerts: ["other"] }), route("b"))).toEqual(["b"]);
  expect(found(rule(), route("a", {}, { continue: true }), route("b"), route("c"))).toEqual(["a", "b"]);
});

test("a route for some servers, or for some hours, leaves the rest to the next", () => {
  expect(found(rule(), route("a", { servers: ["web_1"] }), route("b"))).toEqual(["a", "b"]);
  const hours = { active: [{ from: "08:00", to: "18:00" }] } as unknown as Partial<Asked>;
  expect(found(rule(), route("a", {}, hours), route("b"))).toEqual(["a", "b"]);
});

test("severity, subject and tags come from the rule; a rule without a severity is a warning", () => {
  const critical = route("a", { severities: ["critical"] });
  expect(found(rule(), critical)).toEqual([]);
  expect(found(rule({ severity: "critical" }), critical)).toEqual(["a"]);
  expect(found(rule({ tags: ["disk"] }), route("a", { tags: ["disk", "memory"] }))).toEqual(["a"]);
  expect(found(rule(), route("a", { tags: ["disk"] }))).toEqual([]);
  expect(found(rule(), route("a", { subjects: ["server"] }))).toEqual(["a"]);
  expect(found(rule({ subject: "event" }), route("a", { subjects: ["server"] }))).toEqual([]);
});

test("a check may be more severe than its rule, so a route for another severity takes some of its firings", () => {
  const critical = route("a", { severities: ["critical"] });
  expect(found(rule({ subject: "check", severity: "warning" }), critical, route("b"))).toEqual(["a", "b"]);
});

test("a disabled route takes nothing", () => {
  expect(found(rule(), route("a", {}, { enabled: false }))).toEqual([]);
});
