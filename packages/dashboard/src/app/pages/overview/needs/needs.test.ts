import { expect, test } from "vitest";
import { type Facts, needsOf } from "./needs.ts";

const alert = (id: string, date: number, more: object = {}) => ({
  id,
  alert: "a",
  server: "s",
  groups: [],
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
const stuck = (id: string, more: object = {}) => ({ id, event: "e", state: "active", started: 0, ...more });
const server = (id: string, more: object = {}) => ({
  ...{ id, hostname: id, modified: 5, enabled: true, online: false },
  ...more,
});
const none: Facts = {
  ...{ now: 1000, firing: [], failed: [], goodSince: new Map<string, number>() },
  ...{ active: [], servers: [], overdue: [], isSilenced: () => false },
};

test.each([
  ["nothing", none, []],
  ["a firing alert", { ...none, firing: [alert("a1", 5)] }, ["alert a1"]],
  ["an acknowledged alert", { ...none, firing: [alert("a1", 5, { acknowledged: {} })] }, []],
  ["a failed part of a workflow, which has no event of its own", { ...none, failed: [job("j1", "", 9)] }, []],
  ["the newest failure of an event alone", { ...none, failed: [job("j2", "e", 9), job("j1", "e", 8)] }, ["job j2"]],
  ["a failure that a later run fixed", { ...none, failed: [job("j1", "e", 8)], goodSince: new Map([["e", 9]]) }, []],
  ["a failure after a good run", { ...none, failed: [job("j1", "e", 8)], goodSince: new Map([["e", 7]]) }, ["job j1"]],
  ["a failure with another attempt", { ...none, failed: [job("j1", "e", 8, { retried: true })] }, []],
  [
    "the worst first: a warning after failures, and a hint after all warnings",
    {
      ...{ ...none, failed: [job("j1", "e", 8)], servers: [server("s1")] },
      firing: [
        ...[alert("a1", 9, { severity: "info" }), alert("a2", 8), alert("a3", 1, { severity: "critical" })],
        alert("a4", 7, { severity: "warning" }),
      ],
    },
    ["alert a3", "job j1", "server s1", "alert a2", "alert a4", "alert a1"],
  ],
  [
    "of the same kind the newest first",
    { ...none, firing: [alert("a1", 1), alert("a2", 2)] },
    ["alert a2", "alert a1"],
  ],
  ["an alert that is silenced", { ...none, firing: [alert("a1", 5)], isSilenced: () => true }, []],
  ["a job that was suspended", { ...none, active: [stuck("j1", { suspended: true })] }, ["stuck j1"]],
  ["a job that runs", { ...none, active: [stuck("j1", { remote: true })] }, []],
  ["a job whose server is disconnected for long", { ...none, active: [stuck("j1", { remote: false })] }, ["stuck j1"]],
  ["a job whose server has just disconnected", { ...none, active: [stuck("j1", { remote: false, updated: 990 })] }, []],
  ["a long wait in the line", { ...none, active: [stuck("j1", { state: "queued" })] }, ["stuck j1"]],
  ["a short wait in the line", { ...none, active: [stuck("j1", { state: "queued", started: 900 })] }, []],
  ["a disconnected server", { ...none, servers: [server("s1"), server("s2", { online: true })] }, ["server s1"]],
  ["a disconnected and disabled server", { ...none, servers: [server("s1", { enabled: false })] }, []],
  [
    "an overdue ticket comes last",
    { ...none, overdue: [{ id: "t1", subject: "x", due: 7 }], servers: [server("s1")] },
    ["server s1", "ticket t1"],
  ],
])("%s", (_fact, facts, keys) => expect(needsOf(facts).map(({ key }) => key)).toEqual(keys));
