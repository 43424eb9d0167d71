import { describe, expect, test } from "vitest";
import { isByClock, isForPlace, kindOf, placeOf, placeOfWatched, reachOf } from "./subjects.ts";

const subject = { type: "event", id: "e1", title: "Backup" } as const;
const about = { subject, category: "ops", tags: ["nightly"] };

test.each([
  [undefined, "server", false],
  [null, "server", false],
  ["server", "server", false],
  ["presence", "presence", true],
  ["event", "event", true],
])("an alert whose subject is %j is about %s", (named, kind, byClock) => {
  expect(kindOf({ subject: named })).toBe(kind);
  expect(isByClock({ subject: named })).toBe(byClock);
});

test("an invocation on another subject than a server is found, and seen, by that subject", () => {
  expect(placeOfWatched(about)).toMatchObject({ id: "event:e1", hostname: "Backup", about });
  expect(placeOf({ server: "s1" })).toBe("s1");
  expect(placeOf({ server: "", subject })).toBe("event:e1");
  expect(reachOf({ server: "s1", groups: ["web"] })).toEqual({ serverGroups: ["web"], server: "s1" });
  expect(reachOf({ server: "", subject, groups: [], category: "ops" })).toEqual({ category: "ops" });
});

describe("an alert applies to", () => {
  test.each<[string, Parameters<typeof isForPlace>[0], boolean]>([
    ["all events when it names none", { groups: [] }, true],
    ["events of its categories", { groups: [], categories: ["ops"] }, true],
    ["no others", { groups: [], categories: ["web"] }, false],
    ["events with one of its tags", { groups: [], subject_tags: ["x", "nightly"] }, true],
    ["none without", { groups: [], subject_tags: ["x"] }, false],
    ["no events that only one of both lists names", { groups: [], categories: ["ops"], subject_tags: ["x"] }, false],
    ["events whatever groups of servers it names", { groups: ["db"] }, true],
  ])("%s", (_which, scope, expected) => {
    expect(isForPlace(scope, { groups: [], about })).toBe(expected);
  });

  test("servers of its groups", () => {
    expect(isForPlace({ groups: ["db"], categories: ["ops"] }, { groups: ["db"] })).toBe(true);
    expect(isForPlace({ groups: ["db"] }, { groups: ["web"] })).toBe(false);
    expect(isForPlace({ groups: [] }, { groups: [] })).toBe(true);
  });
});
