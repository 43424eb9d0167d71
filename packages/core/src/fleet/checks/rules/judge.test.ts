import { expect, test } from "vitest";
import type { Check, CheckResult } from "../model.ts";
import { type Answer, judgeAnswer, judgeFailure, judgeProbe } from "./judge.ts";
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
])("%j gives the answer %j the result %j", (rules, came, result) => {
  expect(judgeAnswer({ ...check, ...rules }, { ...answer, ...came }, NOW)).toMatchObject(result);
});

test.each<[Partial<Check>, Parameters<typeof judgeProbe>[1], Partial<CheckResult>]>([
  [{}, { elapsedMs: 3.4, address: "192.0.2.1" }, { ok: true, ms: 3, address: "192.0.2.1" }],
  [{ contains: "ready" }, { elapsedMs: 3, text: "220 ready" }, { ok: true }],
  [{ contains: "ready" }, { elapsedMs: 3, text: "421 busy" }, { ok: false, reason: "content" }],
  [{ max_ms: 2 }, { elapsedMs: 3 }, { ok: false, reason: "slow" }],
  [{}, { elapsedMs: 3, certificateEnds: NOW + 86_400 * 3 }, { ok: true, days_left: 3 }],
  [{}, { elapsedMs: 3, values: ["192.0.2.1"] }, { ok: true }],
  [{ equals: ["Mail.example.com."] }, { elapsedMs: 3, values: ["mail.example.com"] }, { ok: true }],
  [
    { equals: ["a", "b"] },
    { elapsedMs: 3, values: ["b", "c"] },
    { ok: false, reason: "answer", text: "The answer is b, c." },
  ],
  [{ equals: ["a", "b"], match: "any" }, { elapsedMs: 3, values: ["b", "c"] }, { ok: true }],
  [
    { equals: ["a"], match: "any" },
    { elapsedMs: 3, values: ["b"] },
    { ok: false, reason: "answer" },
  ],
])("the rules %j give the answer %j the result %j", (rules, found, result) => {
  expect(judgeProbe(rules, found, NOW)).toMatchObject(result);
});

test.each<[unknown, CheckResult["reason"]]>([
  [new TypeError("Address is not allowed: 10.0.0.1"), "blocked"],
  [Object.assign(new Error("x"), { cause: { code: "ENOTFOUND" } }), "dns"],
  [Object.assign(new Error("x"), { code: "ENODATA" }), "dns"],
  [Object.assign(new Error("x"), { code: "ETIMEOUT" }), "timeout"],
  [Object.assign(new Error("x"), { cause: { code: "ECONNREFUSED" } }), "refused"],
  [Object.assign(new Error("x"), { cause: { code: "CERT_HAS_EXPIRED" } }), "tls"],
  [Object.assign(new Error("x"), { cause: { code: "DEPTH_ZERO_SELF_SIGNED_CERT" } }), "tls"],
  [Object.assign(new Error("x"), { cause: { code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" } }), "tls"],
  [new Error("No data from shop within 10000 ms"), "timeout"],
  [new Error("Too many redirects"), "answer"],
  ["odd", "answer"],
])("no answer because of %s is %s", (error, reason) => {
  expect(judgeFailure(error, { now: NOW, ms: 3.2 })).toMatchObject({ ok: false, ms: 3, date: NOW, reason });
});

const of = (type: Check["type"], members: object): Check =>
  newCheck({ title: "X", type, ...members }, { id: "ck2", username: "admin", now: NOW });

test.each<[Check, object, string]>([
  [check, { url: "ftp://a.example.com/" }, "url"],
  [check, { url: "https://mia:secret@a.example.com/" }, "url"],
  [check, { url: "shop" }, "url"],
  [check, { url: null }, "url"],
  [check, { type: "icmp" }, "type"],
  [check, { method: "PUT" }, "method"],
  [check, { every: 9 }, "every"],
  [check, { timeout: 31 }, "timeout"],
  [check, { every: 10, timeout: 10 }, "timeout"],
  [check, { retry_every: 4 }, "retry_every"],
  [check, { retry_every: 61 }, "retry_every"],
  [check, { status: ["600"] }, "status"],
  [check, { status: ["300-200"] }, "status"],
  [check, { status: [] }, "status"],
  [check, { contains: "x".repeat(1001) }, "contains"],
  [check, { headers: [{ name: "A" }] }, "headers"],
  [check, { body: "x".repeat(16_385) }, "body"],
  [check, { from: [] }, "from"],
  [check, { from: ["we b"] }, "from"],
  [check, { from: Array.from({ length: 11 }, (_each, at) => `s${at}`) }, "from"],
  [check, { agree: 0 }, "agree"],
  [check, { agree: 11 }, "agree"],
  [check, { from: ["engine", "web1"], every: 90 }, "every"],
  [check, { severity: "bad" }, "severity"],
  [check, { host: "a.example.com" }, "host"],
  [of("tcp", { host: "a.example.com", port: 25 }), { port: 0 }, "port"],
  [of("tcp", { host: "a.example.com", port: 25 }), { host: "a b" }, "host"],
  [of("tcp", { host: "a.example.com", port: 25 }), { host: null }, "host"],
  [of("tcp", { host: "a.example.com", port: 25 }), { url: "https://a.example.com/" }, "url"],
  [of("tls", { host: "a.example.com" }), { starttls: "pop3" }, "starttls"],
  [of("tls", { host: "a.example.com" }), { contains: "x" }, "contains"],
  [of("dns", { name: "a.example.com" }), { record: "ANY" }, "record"],
  [of("dns", { name: "a.example.com" }), { equals: [] }, "equals"],
  [of("dns", { name: "a.example.com" }), { match: "some" }, "match"],
  [of("dns", { name: "a.example.com" }), { resolver: "a b" }, "resolver"],
])("%j with %j is refused for its %s", (good, members, field) => {
  expect(checkFault(good)).toBeUndefined();
  expect(checkFault({ ...good, ...members })).toBe(`Invalid value for ${field}`);
});

test.each([
  [200, ["200-399"], true],
  [399, ["200-399"], true],
  [400, ["200-399"], false],
  [404, ["200", "404"], true],
  [404, [404], true],
])("the status %i is in %j: %s", (status, ranges, isIn) => {
  expect(isStatusIn(status, ranges)).toBe(isIn);
});

test.each([
  [{ headers: [{ name: "Authorization", value: "Bearer {{ secrets.KEY }}" }] }],
  [{ body: "{{secrets.KEY}}" }],
])("%j is not sent out by the engine", (members) => {
  expect(checkFault({ ...check, ...members })).toBeUndefined();
  expect(checkFault({ ...check, ...members, from: ["engine", "web1"] })).toBe(
    "A check with secrets is asked from the engine alone.",
  );
  expect(checkFault({ ...check, from: ["web1"] })).toBeUndefined();
});
