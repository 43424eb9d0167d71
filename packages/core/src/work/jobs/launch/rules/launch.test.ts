import { describe, expect, test } from "vitest";
import {
  allowedOverrides,
  fromEvent,
  launchMembers,
  newJob,
  overridesFromParams,
  paramOrder,
  waitsForRoom,
} from "./launch.ts";

/** Members that determine how the process of a job is started. */
const OF_PROCESS = ["command", "script", "uid", "gid", "cwd", "env", "kill", "runner"];

describe("members that a job takes from its event", () => {
  test.each([
    ...["category", "type", "plugin", "targets", "algo", "expression", "fields", "notes", "icon", "custom"],
    ...["tags", "limits", "actions"],
  ])("%s", (member) => {
    expect(fromEvent({ [member]: "x" })).toEqual({ [member]: "x" });
  });

  test("a graph, if it is a workflow", () => {
    const workflow = { nodes: [] };
    expect(fromEvent({ type: "workflow", workflow })).toEqual({ type: "workflow", workflow });
    expect(fromEvent({ type: "", workflow })).toEqual({ type: "" });
  });

  test.each([
    ...["id", "title", "enabled", "triggers", "created", "modified", "revision"],
    ...["command", "script", "uid", "gid", "cwd", "env", "kill", "runner"],
    ...["session_id", "api_key", "csrf_token"],
    ...[
      "server",
      "code",
      "complete",
      "final",
      "retried",
      "retry_count",
      "retry_ok",
      "suspended",
      "state",
      "until",
      "jobs",
    ],
    ...["update_event", "delete_event", "clear_alert", "source", "username", "started", "remote", "parent"],
  ])("%s is not taken", (member) => {
    expect(fromEvent({ [member]: "x" })).toEqual({});
  });
});

describe("members that a caller may replace", () => {
  test.each([
    "plugin",
    "targets",
    "algo",
    "expression",
    "label",
    "icon",
    "notes",
    "priority",
    "test_conditions",
    "custom",
  ])("%s", (member) => {
    expect(allowedOverrides({ [member]: "x" })).toEqual({ [member]: "x" });
  });

  test.each([
    ...["id", "title", "event", "type", "category", "server", "groups", "source", "username", "started", "completed"],
    ...["elapsed", "code", "complete", "final", "remote", "retried", "retry_count", "retry_prev", "jobs", "activity"],
    ...["suspended", "position", "state", "until", "now", "parent", "params", "input", "workflowData", "api_key"],
    ...OF_PROCESS,
    ...["update_event", "delete_event", "clear_alert"],
  ])("%s may not be replaced", (member) => {
    expect(allowedOverrides({ [member]: "x" })).toEqual({});
  });
});

describe("parameters that replace members", () => {
  test.each<[string, unknown, unknown]>([
    ["targets", "a, b,,c", ["a", "b", "c"]],
    ["targets", ["a", " b "], ["a", "b"]],
    ["tags", "x", ["x"]],
    ["algo", 5, "5"],
    ["expression", { a: 1 }, '{"a":1}'],
    ["label", "L", "L"],
    ["priority", "false", false],
    ["priority", "0", false],
    ["priority", "1", true],
    ["invisible", true, true],
    ["ephemeral", "yes", true],
  ])("%s = %o", (member, value, expected) => {
    expect(overridesFromParams({ [`_xy_override_${member}`]: value })).toEqual({
      members: { [member]: expected },
      ignored: [],
    });
  });

  test.each(["", null, undefined])("%o replaces nothing", (value) => {
    expect(overridesFromParams({ _xy_override_label: value })).toEqual({ members: {}, ignored: [] });
  });

  test.each([
    ...[
      "plugin",
      "params",
      "id",
      "event",
      "enabled",
      "category",
      "fields",
      "actions",
      "limits",
      "triggers",
      "workflow",
    ],
    ...OF_PROCESS,
    ...["source", "code", "__proto__", "constructor"],
  ])("%s is ignored with a message", (member) => {
    expect(overridesFromParams({ [`_xy_override_${member}`]: "x" })).toEqual({ members: {}, ignored: [member] });
  });
});

test.each<[Record<string, unknown>, unknown, string[]]>([
  [{ a: 1, b: 2 }, [{ id: "b" }], ["b", "a"]],
  [{ a: 1, b: 2 }, undefined, ["a", "b"]],
  [{ a: 1 }, [{ id: "nope" }, null, 5, { id: 7 }, { id: "constructor" }], ["a"]],
  [{ a: 1, b: 2 }, [{ id: "b" }, { id: "b" }], ["b", "a"]],
])("parameters %o with fields %o are expanded in the order %o", (params, fields, order) => {
  expect(paramOrder(params, fields)).toEqual(order);
});

describe("how the process is started", () => {
  test.each<[string, Record<string, unknown>, Record<string, unknown>, object]>([
    ["nothing said", {}, {}, { script: "", uid: "", gid: "", kill: "parent" }],
    ["a script", { script: "echo" }, {}, { script: "(File)" }],
    ["the plugin's user", { uid: "www", gid: "staff", kill: "all" }, {}, { uid: "www", gid: "staff", kill: "all" }],
    ["the default user", {}, {}, { uid: "nobody" }],
    ["the user 0 of the plugin", { uid: 0 }, {}, { uid: 0 }],
    [
      "a locked parameter that is empty",
      { uid: "www", params: [{ id: "uid", locked: true, value: false }] },
      { uid: "" },
      { uid: "www" },
    ],
    ["a runner", { runner: true }, {}, { runner: true }],
    [
      "a locked parameter",
      { uid: "www", params: [{ id: "uid", locked: true, value: "def" }] },
      { uid: "own" },
      { uid: "own" },
    ],
    [
      "the default of a locked parameter",
      { uid: "www", params: [{ id: "uid", locked: true, value: "def" }] },
      {},
      { uid: "def" },
    ],
    ["an open parameter", { uid: "www", params: [{ id: "uid", value: "def" }] }, { uid: "root" }, { uid: "www" }],
    ["an undefined parameter", { uid: "www" }, { uid: "root" }, { uid: "www" }],
  ])("%s", (name, plugin, params, expected) => {
    expect(launchMembers(plugin, params, /default user|user 0/.test(name) ? { uid: "nobody" } : {})).toMatchObject(
      expected,
    );
  });
});

test("the engine's members of a new job take precedence over all others", () => {
  const job = newJob({
    id: "j1",
    event: { id: "e1", title: "T", category: "general", notes: "n", code: 5 },
    overrides: { notes: "mine", code: 7, source: "evil", id: "x" },
    actions: [],
    limits: [],
    tags: ["a"],
    engine: { source: "key", params: { a: 1 } },
    state: "ready",
    now: 100,
  });
  expect(job).toEqual({
    ...{ id: "j1", event: "e1", category: "general", notes: "mine", source: "key", params: { a: 1 } },
    ...{ actions: [], limits: [], tags: ["a"], state: "ready", started: 100, log_file_size: 0 },
  });
});

describe("the cap on launches of a minute", () => {
  test.each([
    ["scheduler", false, true],
    ["startup", false, true],
    ["user", false, false],
    ["key", false, false],
    ["action", false, false],
    ["user", true, true],
  ])("%s, retry %s: waits %s", (source, isRetry, waits) => {
    expect(waitsForRoom(source, isRetry)).toBe(waits);
  });
});
