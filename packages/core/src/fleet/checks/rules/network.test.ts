import { expect, test } from "vitest";
import type { Check, CheckResult, CheckState } from "../model.ts";
import { heardOf, isNetworkUnknown, networkOf, publicHostOf } from "./network.ts";

const NOW = 1_800_000_000;
const hosts = ["a.example.com", "b.example.com", "c.example.com"];
const checks = hosts.map((host) => ({ id: host, type: "tcp" as const, host }));
const failed = { date: NOW - 30, ok: false, ms: 1, reason: "timeout" as const };
const stateOf = (id: string, latest: CheckResult): CheckState => ({
  id,
  next: NOW,
  failures: 1,
  down: false,
  count: 1,
  latest,
});
const statesOf = (change: Partial<CheckResult> = {}) =>
  new Map(hosts.map((id, at) => [id, stateOf(id, at === 0 ? { ...failed, ...change } : failed)]));

test.each<[string, Partial<CheckResult>, boolean]>([
  ["nothing", {}, true],
  ["an unknown name", { reason: "dns" }, true],
  ["one that answers", { ok: true }, false],
  ["one that answers badly", { reason: "status" }, false],
])("with three failed hosts, and %s among them", (_which, change, isAll) => {
  expect(networkOf(checks, statesOf(change), NOW)).toEqual({ hosts: 3, all_failed: isAll });
});

test("two hosts, or old results, do not show that the network is down", () => {
  const twice = [...checks.slice(0, 2), { ...checks[0], id: "again" } as (typeof checks)[number]];
  expect(networkOf(twice, statesOf(), NOW)).toEqual({ hosts: 2, all_failed: false });
  expect(networkOf(checks, statesOf({ date: NOW - 181 }), NOW)).toEqual({ hosts: 2, all_failed: false });
});

test.each<[string, Partial<CheckResult>, number, boolean]>([
  ["all were asked and failed", {}, NOW - 30, false],
  ["one was not asked", { date: NOW - 40 }, NOW - 30, true],
  ["none was asked", {}, NOW - 20, true],
  ["one was reached", { ok: true }, NOW - 30, false],
])("when %s since a moment (%j), the network since %i is unknown: %s", (_which, change, since, isUnknown) => {
  expect(isNetworkUnknown(heardOf(checks, statesOf(change)), since)).toBe(isUnknown);
  expect(isNetworkUnknown(heardOf(checks.slice(1), statesOf(change)), since)).toBe(false);
});

test.each<[Partial<Check>, string | undefined]>([
  [{ type: "http", url: "https://Shop.example.com/a" }, "shop.example.com"],
  [{ type: "dns", name: "shop.example.com" }, "shop.example.com"],
  [{ type: "http", url: "http://[::1]/" }, undefined],
  [{ type: "tcp", host: "10.0.0.1" }, undefined],
  [{ type: "tls", host: "mail.lan" }, undefined],
  [{ type: "tcp", host: "198.51.100.1" }, "198.51.100.1"],
])("%j asks the public host %s", (check, host) => {
  expect(publicHostOf({ id: "ck", type: "tcp", ...check })).toBe(host);
});
