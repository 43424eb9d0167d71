import { describe, expect, test } from "vitest";
import { alertState, boundIn, isIn, limitIn, monitorIn, VIEWS, wasNobodyTold, worstOf } from "./state.ts";

const firing = { alert: "disk", server: "db", groups: ["main"], active: true };
const ofEvent = { server: "", subject: { type: "event", id: "backup", title: "Back up" } };
const ofHeartbeat = { server: "", subject: { type: "heartbeat", id: "copy", title: "Copy" } };
const none = { in_force: true, servers: [], groups: [], alerts: [], tags: [] };

describe("the state of an alert", () => {
  test.each([
    ["crit", firing, []],
    ["ack", { ...firing, acknowledged: { username: "admin" } }, [{ ...none, servers: ["db"] }]],
    ["hush", firing, [{ ...none, servers: ["db"] }]],
    ["hush", firing, [{ ...none, groups: ["main"], tags: ["night"] }]],
    ["hush", { ...firing, untold: { since: 1 } }, []],
    ["crit", firing, [{ ...none, servers: ["db"], alerts: ["cpu"] }]],
    ["crit", firing, [{ ...none, in_force: false, servers: ["db"] }]],
    ["ok", { ...firing, active: false, acknowledged: {} }, []],
    ["gone", { ...firing, active: false, stale: true }, []],
    ["hush", firing, [none]],
    ["hush", firing, [{ ...none, groups: ["other", "main"] }]],
    ["crit", firing, [{ ...none, tags: ["day"] }]],
    ["crit", firing, [{ ...none, events: ["backup"] }]],
    ["hush", { ...firing, ...ofEvent }, [{ ...none, events: ["backup"] }]],
    ["crit", { ...firing, ...ofEvent }, [{ ...none, servers: ["db"] }]],
    ["hush", { ...firing, ...ofHeartbeat }, [{ ...none, heartbeats: ["copy"] }]],
    ["crit", { ...firing, ...ofHeartbeat }, [{ ...none, events: ["copy"] }]],
  ] as const)("%s: %j %j", (state, invocation, silences) => {
    expect(alertState(invocation, silences, ["night"])).toBe(state);
  });

  test.each([
    ["crit", ["open", "firing"]],
    ["ack", ["open", "acknowledged"]],
    ["hush", ["open", "silenced"]],
    ["ok", ["past"]],
    ["gone", ["past"]],
  ] as const)("%s is listed in %j", (state, views) => {
    expect(VIEWS.filter((view) => isIn(view, state))).toEqual(views);
  });
});

test.each([
  [true, {}],
  [true, { actions: [{ type: "snapshot" }] }],
  [false, { actions: [{ type: "snapshot" }, { type: "email" }] }],
  [false, { actions: [{ type: "web_hook" }] }],
  [false, { actions: [{ type: "snapshot" }], suppressed: [{ by: { kind: "silence" } }] }],
  [false, { untold: { since: 1 } }],
  [false, { acknowledged: { username: "admin" } }],
])("no one was notified is %s for %j", (expected, invocation) => {
  expect(wasNobodyTold(invocation)).toBe(expected);
});

test.each([
  ["monitors.disk >= 90", 90],
  ["90 <= monitors.disk", 90],
  ["monitors.disk < -1.5 && monitors.cpu > 3", -1.5],
  ["monitors.disk_used > 5", undefined],
  ["monitors.disk > 5 * cpu.cores", undefined],
  ["monitors.disk >= (cpu.cores + 1)", undefined],
  ["monitors.disk > 90 && memory.free < 3", 90],
  ["cpu.cores * 2 < monitors.disk", undefined],
  ["2 * monitors.disk > 90", undefined],
  ["90 < monitors.disk * 2", undefined],
  ["monitors.disk > 90 % 7", undefined],
  ["  monitors.disk > 90", 90],
  ["!(monitors.disk > 90)", 90],
  ["other_monitors.disk > 90", undefined],
  ["2 *  monitors.disk > 90", undefined],
  ["cpu.load -5 < monitors.disk", undefined],
])("the bound of %s is %s", (expression, limit) => {
  expect(limitIn(expression, "disk")).toBe(limit);
});

test.each([
  ["of a rule for all servers", { groups: [] }, [["main"]], 90],
  ["of a rule for the server's group", { groups: ["db", "main"] }, [["main"]], 90],
  ["not of a rule for another group", { groups: ["db"] }, [["main"]], undefined],
  ["not of a rule for one of two alone", { groups: ["db"] }, [["main"], ["db"]], undefined],
  ["not of a disabled rule", { groups: [], enabled: false }, [["main"]], undefined],
  ["not of a rule on silence", { groups: [], subject: "presence" }, [["main"]], undefined],
])("the line in a chart is %s", (_whose, rule, servers, limit) => {
  const full = { id: "full", enabled: true, expression: "monitors.disk > 90", ...rule };
  expect(boundIn([full], "disk", servers)?.limit).toBe(limit);
});

test("an alert is about the monitor it names, or else the one it reads", () => {
  expect(monitorIn("monitors.load > 3", "cpu")).toBe("cpu");
  expect(monitorIn("min(monitors.load, 3) > 1", "")).toBe("load");
  expect(monitorIn("memory.free < 3", undefined)).toBeUndefined();
});

test.each([
  [["info", "warning", "critical"], "critical"],
  [["info", undefined], undefined],
  [["info"], "info"],
])("of firings with the severities %j, the worst has %s; none counts as a warning", (severities, worst) => {
  const firings = severities.map((severity, at) => ({ severity, at }));
  expect(worstOf(firings)).toBe(firings.find(({ severity }) => severity === worst));
  expect(worstOf([])).toBe(undefined);
});
