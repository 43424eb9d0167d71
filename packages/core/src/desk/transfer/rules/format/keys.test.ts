import { expect, test } from "vitest";
import { isFileKey, isSafeId, keyOf, targetOf } from "./keys.ts";
import type { TransferNames } from "./names.ts";

const NAMES: TransferNames = {
  lists: new Map([["tags", {}]]),
  tables: new Map(),
  keys: new Map([
    ["users/*", { list: "users", item: "users" }],
    ["secrets/*", { list: "secrets", item: "secretData", within: "kept" }],
    ["buckets/*/data", { list: "buckets", item: "bucketData" }],
  ]),
  files: new Map(),
  logs: new Map([["stat_data", { item: "statData", key: "global/stats" }]]),
  series: new Map([["monitor_data", { item: "monitorData", resolutions: { hourly: {} } }]]),
  own: new Map([["alert_states", {}]]),
};

test.each<[string, object]>([
  ["global/tags", { kind: "list", name: "tags" }],
  ["global/tags/-3", { kind: "page", name: "tags", page: -3 }],
  ["global/tags/x", { kind: "unknown" }],
  ["global/tags/0/1", { kind: "unknown" }],
  ["global/nothing", { kind: "unknown" }],
  ["global/__proto__", { kind: "unknown" }],
  ["global/state", { kind: "state" }],
  ["global/stats/0", { kind: "log", extra: "stat_data", page: 0 }],
  ["users/jdoe", { kind: "keyed", pattern: "users/*", id: "jdoe" }],
  ["users/..", { kind: "unknown" }],
  ["users/__proto__", { kind: "unknown" }],
  ["users/a/b", { kind: "unknown" }],
  ["secrets/s1", { kind: "keyed", pattern: "secrets/*", id: "s1" }],
  ["secrets/kept/kv1", { kind: "keyed", pattern: "secrets/*", id: "kept/kv1" }],
  ["secrets/other/kv1", { kind: "unknown" }],
  ["secrets/kept/..", { kind: "unknown" }],
  ["secrets/kept/a/b", { kind: "unknown" }],
  ["secrets/kept/", { kind: "unknown" }],
  ["buckets/b1/data", { kind: "keyed", pattern: "buckets/*/data", id: "b1" }],
  ["buckets/b1/other", { kind: "unknown" }],
  ["timeline/s1/hourly/0", { kind: "series", extra: "monitor_data", server: "s1", resolution: "hourly", page: 0 }],
  ["timeline/s1/constructor/0", { kind: "unknown" }],
  ["files/jobs/j1/x/a.txt", { kind: "file", key: "files/jobs/j1/x/a.txt" }],
  ["files/../secrets/a.txt", { kind: "unknown" }],
  ["files/a.txt", { kind: "unknown" }],
  ["files/a/../../b.txt", { kind: "unknown" }],
  ["files//a.txt", { kind: "unknown" }],
  ["logs/jobs/j1/log.txt.gz", { kind: "file", key: "logs/jobs/j1/log.txt.gz" }],
  ["logs/jobs/j1/other.gz", { kind: "unknown" }],
  ["signalbox/alert_states/a/b c", { kind: "own", collection: "alert_states", id: "a/b c" }],
  ["signalbox/sessions/x", { kind: "unknown" }],
  ["signalbox/alert_states/a\u0000", { kind: "unknown" }],
  ["sessions/x", { kind: "unknown" }],
  ["", { kind: "unknown" }],
])("%j", (key, target) => {
  expect(targetOf(key, NAMES)).toEqual(target);
});

test("ids", () => {
  expect(["a", "A-b_c.d@e"].map(isSafeId)).toEqual([true, true]);
  expect(["", "a b", "..", "__proto__", "constructor", "x".repeat(200)].map(isSafeId)).toEqual(Array(6).fill(false));
  expect(isFileKey("files/a/b")).toBe(false);
  expect(keyOf("users/*", "$&")).toBe("users/$&");
});
