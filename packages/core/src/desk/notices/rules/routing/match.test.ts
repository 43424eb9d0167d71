import { expect, test } from "vitest";
import type { Route } from "../../model.ts";
import { newRoute } from "../records/records.ts";
import { type Firing, keyOf, mismatch, routesFor, waitOf } from "./match.ts";

const firing: Firing = {
  ...{
    severity: "critical",
    subject: "server",
    alert: "hot",
    tags: ["heat", "shop"],
    groups: ["main", "web"],
    ...{ server: "s1", category: "", place: "s1" },
  },
};
const route = (id: string, members: Partial<Route> = {}, order = 0): Route =>
  newRoute({ title: id, ...members } as never, { id, username: "ann", now: 0 }, order);

test.each<[Route["match"], string | undefined]>([
  [{}, undefined],
  [{ severities: [] }, undefined],
  [{ severities: ["critical"] }, undefined],
  [{ severities: ["info", "warning"] }, "severities"],
  [{ subjects: ["presence"] }, "subjects"],
  [{ alerts: ["cold"] }, "alerts"],
  [{ tags: ["batch", "shop"] }, undefined],
  [{ tags: ["batch"] }, "tags"],
  [{ groups: ["web"], servers: ["s2"] }, "servers"],
  [{ groups: ["db"], servers: ["s1"] }, "groups"],
  [{ categories: ["ops"] }, "categories"],
])("%j does not match because of its %s", (match, expected) => {
  expect(mismatch({ match }, firing)).toBe(expected);
});

test.each<[string, Route[], string[]]>([
  ["the first alone", [route("a"), route("b", {}, 1)], ["a"]],
  ["in their order, not the order of the list", [route("a", {}, 2), route("b", {}, 1)], ["b"]],
  ["by id where the order is the same", [route("b"), route("a")], ["a"]],
  ["the next as well", [route("a", { continue: true }), route("b", {}, 1), route("c", {}, 2)], ["a", "b"]],
  ["no disabled one", [route("a", { enabled: false }), route("b", {}, 1)], ["b"]],
  ["none that does not match", [route("a", { match: { alerts: ["cold"] } }), route("b", {}, 1)], ["b"]],
  ["none that is closed", [route("a", { title: "closed" }), route("b", {}, 1)], ["b"]],
  ["one that is closed and holds", [route("a", { title: "closed", outside: "hold" }), route("b", {}, 1)], ["a"]],
])("%s", (_name, routes, expected) => {
  expect(routesFor(routes, firing, ({ title }) => title !== "closed").map(({ id }) => id)).toEqual(expected);
});

test("the key holds the values that the route groups by", () => {
  expect(keyOf(route("a", { group_by: [] }), firing)).toBe("[]");
  expect(keyOf(route("a", { group_by: ["alert", "group", "tag"] }), firing)).toBe(
    '[["alert","hot"],["group","main"],["tag","heat"]]',
  );
  expect(keyOf(route("a", { group_by: ["group", "tag"] }), { ...firing, groups: [], tags: [] })).toBe(
    '[["group",""],["tag",""]]',
  );
});

test.each<[Partial<Route>, number, number]>([
  [{}, 30, 70],
  [{}, 1, 0],
  [{}, 0, 0],
  [{ group_by: ["alert", "subject"] }, 30, 0],
  [{ group_by: ["subject"] }, 30, 70],
  [{ group_by: [] }, 1, 70],
  [{ group_wait: 20 }, 1, 20],
])("%j with %d possible servers waits %d seconds", (members, subjects, expected) => {
  expect(waitOf(route("a", members), subjects)).toBe(expected);
});
