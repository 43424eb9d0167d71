import { describe, expect, test } from "vitest";
import type { Check, CheckResult, CheckState } from "../model.ts";
import { newCheck } from "./record.ts";
import { sightOf } from "./sight.ts";
import { afterResult, newState, placeIn, results, standingOf, turnAfter, withNote } from "./standing.ts";

const NOW = 1_800_000_000;
const check: Check = newCheck(
  { id: "ck1", title: "Shop", type: "http", url: "https://shop.example.com/", retries: 2, category: "web" },
  { id: "ck1", username: "admin", now: NOW },
);
const look = (now: number) => ({ now, nameOf: (place: string) => place.toUpperCase() });

const TURN = turnAfter(check, NOW);

test("each check runs once in its interval, and not all run at once", () => {
  const turns = ["a", "b", "c", "d"].map((id) => turnAfter({ id, every: 60 }, NOW));
  expect(new Set(turns).size).toBeGreaterThan(1);
  for (const [at, id] of ["a", "b", "c", "d"].entries()) {
    const turn = turns[at] ?? 0;
    expect(turn).toBeGreaterThan(NOW);
    expect(turn).toBeLessThanOrEqual(NOW + 60);
    expect(turnAfter({ id, every: 60 }, turn)).toBe(turn + 60);
    expect(turnAfter({ id, every: 60 }, turn - 1)).toBe(turn);
    expect(turnAfter({ id, every: 60 }, turn + 9)).toBe(turn + 60);
  }
});

describe("a check", () => {
  const good: CheckResult = { date: NOW, ok: true, ms: 1 };
  const bad: CheckResult = { date: NOW, ok: false, ms: 1, reason: "refused", text: "Nobody is there." };
  const after = (results: readonly CheckResult[]): CheckState =>
    results.reduce((state, result) => afterResult(state, check, result), newState("ck1", NOW));

  test.each<[string, CheckResult[], Partial<CheckState>]>([
    ["that answers runs again in time", [good], { down: false, failures: 0, next: TURN }],
    ["that fails runs again soon", [bad], { down: false, failures: 1, next: NOW + 20 }],
    ["that fails more often than allowed is down", [bad, bad, bad], { down: true, failures: 3, next: TURN }],
    ["that fails now and then is not down", [bad, bad, good, bad, bad], { down: false, failures: 2 }],
    ["that was down is up at once", [bad, bad, bad, good], { down: false, failures: 0 }],
    ["that is refused does not run before its time", [{ ...bad, reason: "blocked" }], { next: TURN }],
  ])("%s", (_which, results, state) => {
    expect(after(results)).toMatchObject({ ...state, count: results.length, latest: results.at(-1) });
  });

  test("shows its last result for as long as that is fresh", () => {
    const state = after([bad, bad, bad]);
    const seen = { id: "ck1", category: "web", down: true, failures: 3, reason: "refused", last: NOW, warn_days: 21 };
    expect(sightOf(check, state, look(NOW + 180)).check).toMatchObject(seen);
    expect(sightOf(check, state, look(NOW + 181)).check).toMatchObject({ down: false, failures: 0, last: undefined });
    expect(sightOf(check, undefined, look(NOW)).check).not.toHaveProperty("ok");
  });

  test("keeps sixty results", () => {
    expect(results.idsOf({ id: "ck1", count: 90 })).toHaveLength(60);
  });
});

describe("a check from several places", () => {
  const good: CheckResult = { date: NOW, ok: true, ms: 1, days_left: 9 };
  const bad: CheckResult = { date: NOW, ok: false, ms: 1, reason: "status", text: "The status is 500." };
  const of = (members: Partial<Check>): Check => ({ ...check, from: ["engine", "a", "b"], retries: 0, ...members });
  const after = (rules: Check, results: readonly CheckResult[]): CheckState =>
    results.reduce((state, result) => afterResult(state, rules, result), newState("ck1", NOW));
  const from = (result: CheckResult, place: string, date = NOW): CheckResult => ({ ...result, from: place, date });

  test.each<[string, Partial<Check>, CheckResult[], object]>([
    [
      "is up while one of three fails",
      {},
      [good, from(bad, "a"), from(good, "b")],
      { down: false, failed: 1, ok: true },
    ],
    [
      "is down when most of them fail",
      {},
      [bad, from(bad, "a"), from(good, "b")],
      { down: true, failed: 2, ok: false },
    ],
    ["is down when one fails, if one is enough", { agree: 1 }, [good, from(bad, "a")], { down: true, where: "A" }],
    ["needs both of two", {}, [good, from(bad, "a")], { down: false, vantages: 2 }],
    ["needs no more places than there are", { agree: 3 }, [bad, from(bad, "a")], { down: true, where: "ENGINE, A" }],
    ["waits for the retries of each", { retries: 1, agree: 1 }, [bad, from(bad, "a")], { down: false, failures: 1 }],
    [
      "leaves old results out",
      {},
      [from(bad, "a", NOW - 181), from(bad, "b", NOW - 181), good],
      { vantages: 1, ok: true },
    ],
    ["has the certificate that ends first", {}, [good, from({ ...good, days_left: 2 }, "a")], { days_left: 2 }],
  ])("%s", (_which, members, results, seen) => {
    const rules = of(members);
    expect(sightOf(rules, after(rules, results), look(NOW)).check).toMatchObject(seen);
  });

  test("names the places in the text of a failure", () => {
    const rules = of({ agree: 1 });
    expect(sightOf(rules, after(rules, [good, from(bad, "a")]), look(NOW)).check.text).toBe(
      "From A: The status is 500.",
    );
    expect(sightOf({ ...rules, from: ["engine"] }, after(rules, [bad]), look(NOW)).check.text).toBe(
      "The status is 500.",
    );
  });

  test("is asked again by the engine only after a failure at the engine", () => {
    const state = after(of({ retries: 2 }), [good]);
    expect(afterResult(state, of({ retries: 2 }), from(bad, "a")).next).toBe(state.next);
  });

  test("keeps the reason why a place is silent until a result comes from there", () => {
    const rules = of({});
    const silent = withNote(newState("ck1", NOW), "a", "Server does not run checks: a");
    expect(standingOf(rules, silent, NOW)).toMatchObject({ fresh: [], isDown: false, shown: undefined });
    expect(placeIn(afterResult(silent, rules, from(good, "a")), "a")).toEqual({
      ...{ place: "a", failures: 0, down: false },
      latest: from(good, "a"),
    });
  });

  test("takes the engine's state from an older release", () => {
    const old: CheckState = { id: "ck1", next: NOW, failures: 2, down: false, count: 2, latest: bad };
    expect(sightOf(check, old, look(NOW)).check).toMatchObject({ failures: 2, vantages: 1, failed: 1 });
    expect(afterResult(old, { ...check, retries: 2 }, bad)).toMatchObject({ failures: 3, down: true });
  });
});
