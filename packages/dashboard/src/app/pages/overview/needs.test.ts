import { expect, test } from "vitest";
import { needsOf } from "./needs.ts";

const alert = (id: string, date: number, more: object = {}) => ({
  id,
  alert: "a",
  server: "s",
  date,
  message: "m",
  ...more,
});
const job = (id: string, event: string, completed: number, more: object = {}) => ({
  id,
  event,
  completed,
  code: 1,
  ...more,
});
const none = { firing: [], failed: [], goodSince: new Map<string, number>() };

test.each([
  ["nothing", none, []],
  ["a firing alert", { ...none, firing: [alert("a1", 5)] }, ["alert a1"]],
  ["an alert that somebody has taken over", { ...none, firing: [alert("a1", 5, { acknowledged: {} })] }, []],
  ["the newest failure of an event alone", { ...none, failed: [job("j2", "e", 9), job("j1", "e", 8)] }, ["job j2"]],
  [
    "a failure that a later run made good",
    { ...none, failed: [job("j1", "e", 8)], goodSince: new Map([["e", 9]]) },
    [],
  ],
  ["a failure after a good run", { ...none, failed: [job("j1", "e", 8)], goodSince: new Map([["e", 7]]) }, ["job j1"]],
  ["a failure with another attempt", { ...none, failed: [job("j1", "e", 8, { retried: true })] }, []],
  ["the worst first", { ...none, firing: [alert("a1", 1)], failed: [job("j1", "e", 8)] }, ["alert a1", "job j1"]],
  [
    "of the same kind the newest first",
    { ...none, firing: [alert("a1", 1), alert("a2", 2)] },
    ["alert a2", "alert a1"],
  ],
])("%s", (_fact, facts, keys) => expect(needsOf(facts).map(({ key }) => key)).toEqual(keys));
