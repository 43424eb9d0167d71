import { describe, expect, test } from "vitest";
import type { Check, CheckResult, CheckState } from "../model.ts";
import { type Answer, afterResult, judgeAnswer, judgeFailure, newState, results, sightOf } from "./judge.ts";
import { checkFault, isStatusIn, newCheck } from "./record.ts";

const NOW = 1_800_000_000;
const check: Check = newCheck(
  { id: "ck1", title: "Shop", type: "http", url: "https://shop.example.com/", retries: 2, category: "web" },
  { id: "ck1", username: "admin", now: NOW },
);
const answer: Answer = { status: 200, body: "all fine", ms: 12.4 };

test.each<[Partial<Check>, Partial<Answer>, Partial<CheckResult>]>([
  [{}, {}, { ok: true, status: 200, ms: 12 }],
  [{}, { status: 404 }, { ok: false, reason: "status", text: "The status is 404." }],
  [{ status: ["404", "410-412"] }, { status: 411 }, { ok: true }],
  [{ contains: "fine" }, {}, { ok: true }],
  [{ contains: "good" }, {}, { ok: false, reason: "content", text: 'The answer does not hold "good".' }],
  [{ not_contains: "fine" }, {}, { ok: false, reason: "content", text: 'The answer holds "fine".' }],
  [{ max_ms: 12 }, {}, { ok: false, reason: "slow" }],
  [{ max_ms: 13 }, {}, { ok: true }],
  [{}, { certificateEnds: NOW + 86_400 * 7 + 5 }, { ok: true, days_left: 7 }],
  [{}, { certificateEnds: NOW - 5 }, { ok: true, days_left: -1 }],
])("%j makes of the answer %j the result %j", (rules, came, result) => {
  expect(judgeAnswer({ ...check, ...rules }, { ...answer, ...came }, NOW)).toMatchObject(result);
});

test.each<[unknown, CheckResult["reason"]]>([
  [new TypeError("Address is not allowed: 10.0.0.1"), "blocked"],
  [Object.assign(new Error("x"), { cause: { code: "ENOTFOUND" } }), "dns"],
  [Object.assign(new Error("x"), { cause: { code: "ECONNREFUSED" } }), "refused"],
  [Object.assign(new Error("x"), { cause: { code: "CERT_HAS_EXPIRED" } }), "tls"],
  [Object.assign(new Error("x"), { cause: { code: "DEPTH_ZERO_SELF_SIGNED_CERT" } }), "tls"],
  [Object.assign(new Error("x"), { cause: { code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" } }), "tls"],
  [new Error("No data from shop within 10000 ms"), "timeout"],
  [new Error("Too many redirects"), "failed"],
  ["odd", "failed"],
])("no answer because of %s is %s", (error, reason) => {
  expect(judgeFailure(error, { now: NOW, ms: 3.2 })).toMatchObject({ ok: false, ms: 3, date: NOW, reason });
});

describe("a check", () => {
  const good: CheckResult = { date: NOW, ok: true, ms: 1 };
  const bad: CheckResult = { date: NOW, ok: false, ms: 1, reason: "refused", text: "Nobody is there." };
  const after = (results: readonly CheckResult[]): CheckState =>
    results.reduce((state, result) => afterResult(state, check, result), newState("ck1", NOW));

  test.each<[string, CheckResult[], Partial<CheckState>]>([
    ["that answers is asked again in time", [good], { down: false, failures: 0, next: NOW + 60 }],
    ["that fails is asked again soon", [bad], { down: false, failures: 1, next: NOW + 20 }],
    ["that fails more often than it may is down", [bad, bad, bad], { down: true, failures: 3, next: NOW + 60 }],
    ["that fails now and then is not", [bad, bad, good, bad, bad], { down: false, failures: 2 }],
    ["that was down is up at once", [bad, bad, bad, good], { down: false, failures: 0 }],
    ["that is refused is not asked before its time", [{ ...bad, reason: "blocked" }], { next: NOW + 60 }],
  ])("%s", (_which, results, state) => {
    expect(after(results)).toMatchObject({ ...state, count: results.length, latest: results.at(-1) });
  });

  test("is seen by its last result for as long as that is fresh", () => {
    const state = after([bad, bad, bad]);
    const seen = { id: "ck1", category: "web", down: true, failures: 3, reason: "refused", last: NOW, warn_days: 21 };
    expect(sightOf(check, state, NOW + 180).check).toMatchObject(seen);
    expect(sightOf(check, state, NOW + 181).check).toMatchObject({ down: false, failures: 0, last: undefined });
    expect(sightOf(check, undefined, NOW).check).not.toHaveProperty("ok");
  });

  test("keeps sixty results", () => {
    expect(results.idsOf({ id: "ck1", count: 90 })).toHaveLength(60);
  });
});

test.each([
  [{ url: "ftp://a.example.com/" }, "url"],
  [{ url: "https://mia:secret@a.example.com/" }, "url"],
  [{ url: "shop" }, "url"],
  [{ type: "tcp" }, "type"],
  [{ method: "POST" }, "method"],
  [{ every: 59 }, "every"],
  [{ timeout: 31 }, "timeout"],
  [{ status: ["600"] }, "status"],
  [{ status: ["300-200"] }, "status"],
  [{ status: [] }, "status"],
  [{ contains: "x".repeat(1001) }, "contains"],
])("%j is refused for its %s", (members, field) => {
  expect(checkFault(check)).toBeUndefined();
  expect(checkFault({ ...check, ...members })).toBe(`Invalid value for ${field}`);
});

test.each([
  [200, ["200-399"], true],
  [399, ["200-399"], true],
  [400, ["200-399"], false],
  [404, ["200", "404"], true],
])("%i is in %j: %s", (status, ranges, isIn) => {
  expect(isStatusIn(status, ranges)).toBe(isIn);
});
