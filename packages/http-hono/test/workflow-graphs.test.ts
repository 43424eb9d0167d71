import { memoryBlobStore } from "@signalbox/core";
import type { Plugin, Services } from "@signalbox/core/plugin";
import { describe, expect, test } from "vitest";
import { openEngine } from "./fleet-engine.ts";
import { ONE_STORAGE } from "./open-storage.ts";
import type { Answer } from "./start.ts";
import { untilOf } from "./until.ts";

type Members = Record<string, unknown>;
type Launched = Parameters<Services["launcher"]["launch"]>[1];

/** Stands in for the launcher: remembers the launches. */
function fakeLauncher() {
  const launched: Launched[] = [];
  const launcher: Services["launcher"] = {
    async launch(_unit, request) {
      launched.push(request);
      return { id: `j${launched.length}`, event: request.event.id, state: "ready", started: 0 };
    },
    launchIdempotent: () => Promise.reject(new Error("Nobody asks for this here")),
    storeLaunched: async () => undefined,
  };
  const plugin: Plugin<readonly []> = { id: "fake-launcher", services: { launcher: () => launcher } };
  return { plugin, launched };
}

const node = (id: string, type: string, data: unknown = {}) => ({ id, type, x: 10, y: 20, data });
const wire = (id: string, source: string, dest: string, members: Members = {}) => ({ id, source, dest, ...members });
const manual = { id: "n1", type: "manual", enabled: true };
const trigger = node("n1", "trigger");
const mail = { enabled: true, type: "email", users: "admin, ada" };

/** A graph that begins with the trigger and runs the given nodes. */
const graphOf = (...nodes: Members[]) => ({
  nodes: [trigger, ...nodes],
  connections: nodes.slice(0, 1).map(({ id }) => wire("c1", "n1", String(id))),
});
const workflowOf = (members: Members = {}) => ({
  ...{ id: "flow", title: "Flow", enabled: true, category: "general", type: "workflow", triggers: [manual] },
  ...{ workflow: graphOf() },
  ...members,
});
const eventOf = (members: Members = {}) => ({
  ...{ title: "Event", enabled: true, category: "general", plugin: "free", targets: ["main"], algo: "random" },
  ...{ triggers: [{ type: "manual", enabled: true }], ...members },
});

const params = [
  { id: "who", title: "Who", type: "text", required: true },
  { id: "size", title: "Size", type: "text", range: "1-3" },
  { id: "word", title: "Word", type: "text", regex: "^a+$" },
];
const secret = (members: Members = {}) => ({
  ...{ id: "secret", title: "Secret", type: "text", value: "preset", locked: true },
  ...members,
});
const given = { who: "ada" };

async function open(name: string) {
  const { launched, plugin } = fakeLauncher();
  const at = await openEngine(name, { blobs: memoryBlobStore(), config: { tz: "UTC" }, plugins: [plugin] });
  const { post } = at.admin;
  const must = async (operation: string, input: Members): Promise<Answer["body"]> => {
    const { body, status } = await post(operation, input);
    if (status !== 200) throw new Error(`${operation}: ${body.description}`);
    return body;
  };
  for (const id of ["mine", "theirs"]) await must("create_category", { id, title: id });
  for (const id of ["web", "db"]) await must("create_group", { id, title: id, hostname_match: "^none$" });
  const program = { title: "Program", type: "event", command: "sh" };
  await must("create_plugin", { ...program, id: "free" });
  await must("create_plugin", { ...program, id: "strict", params });
  await must("create_plugin", { ...program, id: "lock", params: [secret()] });
  await must("create_plugin", { ...program, id: "act", type: "action", params });
  await must("create_event", eventOf({ id: "asks", fields: params }));
  await must("create_event", eventOf({ id: "own", category: "mine", targets: ["web"] }));
  await must("create_event", eventOf({ id: "foreign", category: "theirs", targets: ["db"] }));
  await must("create_event", eventOf({ id: "locked", plugin: "lock", params: { secret: "event's" } }));
  const caller = async (privileges: readonly string[], limits: Members = {}) => {
    const given = Object.fromEntries(privileges.map((id) => [id, true]));
    const { plain_key: key } = await must("create_api_key", { title: "Caller", privileges: given, ...limits });
    const headers = { "x-api-key": key, "content-type": "application/json" };
    return async (operation: string, input: Members) => {
      const body = JSON.stringify(input);
      const { body: answer, status } = await at.send(`/api/app/${operation}/v1`, { method: "POST", headers, body });
      return { ...answer, status };
    };
  };
  return { ...at, post, must, launched, caller };
}

/** Each fault of a graph, with its text. */
const faults: readonly (readonly [Members, string])[] = [
  [{ workflow: undefined }, "Event has no workflow object specified."],
  [{ workflow: "x" }, "Event has invalid workflow object specified."],
  [{ workflow: {} }, "Event has no workflow nodes specified."],
  [{ workflow: { nodes: {} } }, "Event has invalid workflow nodes specified (must be array)."],
  [{ workflow: { nodes: [] } }, "Event has no workflow connections specified."],
  [{ workflow: { nodes: [], connections: {} } }, "Event has invalid workflow connections specified (must be array)."],
  ...(
    [
      [[5], "Workflow node #2 is not an object"],
      [[{ type: "note" }], "Workflow node #2 has no ID (id) property"],
      [[node(7 as never, "note")], "Malformed workflow node #7: Node ID is not a string"],
      [[node("n-2", "note")], "Malformed workflow node #n-2: Node ID is not alphanumeric"],
      [[node("toString", "note")], "Malformed workflow node #toString: Invalid ID parameter: toString"],
      [[node("n1", "note")], "Malformed workflow node #n1: Duplicate Node ID"],
      [[node("n2", "")], "Malformed workflow node #n2: Node is missing a type"],
      [[node("n2", {} as never)], "Malformed workflow node #n2: Node type is not a string"],
      [[node("n2", "loop")], "Malformed workflow node #n2: Node type is invalid"],
      [[{ ...node("n2", "note"), x: "1" }], "Malformed workflow node #n2: Node X coordinate is invalid"],
      [[{ ...node("n2", "note"), y: null }], "Malformed workflow node #n2: Node Y coordinate is invalid"],
      [[node("n2", "note", "x")], "Malformed workflow node #n2: Node data is not an object"],
      [[node("n2", "controller", { title: 5 })], "Malformed workflow node #n2: Node data.title is not a string"],
      [
        [node("n2", "controller", { label: "<i>" })],
        "Malformed workflow node #n2: Node data.label contains illegal characters",
      ],
      [
        [node("n2", "controller", { icon: "a/b" })],
        "Malformed workflow node #n2: Node data.icon contains illegal characters",
      ],
      [[node("n2", "event", { event: "nope" })], "Malformed workflow node #n2: Unknown Event ID: nope"],
      [[node("n2", "event", undefined)], "Malformed workflow node #n2: Unknown Event ID: "],
      [[node("n2", "event", { event: "flow" })], "Malformed workflow node #n2: Workflow cannot run itself"],
      [
        [node("n2", "event", { event: "asks" })],
        "Malformed workflow node #n2: Missing required event parameter 'who'.",
      ],
      [
        [node("n2", "event", { event: "asks", params: { ...given, word: "b" } })],
        "Malformed workflow node #n2: Invalid event parameter 'word'.",
      ],
      [
        [node("n2", "event", { event: "asks", params: { ...given, size: 9 } })],
        "Malformed workflow node #n2: Invalid event parameter value 'size' (1-3).",
      ],
      [[node("n2", "job", { plugin: "nope" })], "Malformed workflow node #n2: Unknown Plugin ID: nope"],
      [
        [node("n2", "job", { plugin: "strict" })],
        "Malformed workflow node #n2: Missing required plugin parameter 'who'.",
      ],
      [
        [node("n2", "job", { plugin: "strict", params: { ...given, word: "b" } })],
        "Malformed workflow node #n2: Invalid plugin parameter 'word'.",
      ],
      [
        [node("n2", "job", { plugin: "strict", params: { ...given, size: 9 } })],
        "Malformed workflow node #n2: Invalid plugin parameter value 'size' (1-3).",
      ],
      [[node("n2", "job", { plugin: "free", category: "no" })], "Malformed workflow node #n2: Unknown Category ID: no"],
      [[node("n2", "job", { plugin: "free", tags: ["no"] })], "Malformed workflow node #n2: Unknown tag: no"],
      [
        [node("n2", "action", { enabled: true, type: "plugin", plugin_id: "free" })],
        "Malformed workflow node #n2: Unknown Action Plugin ID: free",
      ],
      [
        [node("n2", "action", { enabled: true, type: "plugin", plugin_id: "act" })],
        "Malformed workflow node #n2: Missing required action plugin parameter 'who'.",
      ],
      [
        [node("n2", "action", { enabled: true, type: "run_event", event_id: "nope" })],
        "Malformed workflow node #n2: Event not found: nope",
      ],
      [[node("n2", "action", { type: "email" })], "Malformed workflow node #n2: Missing enabled flag"],
      [
        [node("n2", "limit", { enabled: true, type: "time", duration: -1 })],
        "Malformed workflow node #n2: Invalid time limit (not a number)",
      ],
      [
        [node("n2", "job", { plugin: "free", params: { _xy_override_env: 1 } })],
        "Malformed workflow node #n2 params: Invalid parameter ID: _xy_override_env (reserved)",
      ],
    ] as const
  ).map(([nodes, text]) => [{ workflow: graphOf(...(nodes as readonly Members[])) }, text] as const),
  ...(
    [
      [[5], "Workflow connection #1 is not an object"],
      [[{}], "Workflow connection #1 has no ID (id) property"],
      [[wire(5 as never, "n1", "n2")], "Malformed workflow connection #5: ID is not a string"],
      [[wire("c 1", "n1", "n2")], "Malformed workflow connection #c 1: ID is not alphanumeric"],
      [[wire("valueOf", "n1", "n2")], "Malformed workflow connection #valueOf: Invalid ID parameter: valueOf"],
      [[wire("c1", "n1", "n2"), wire("c1", "n2", "n1")], "Malformed workflow connection #c1: Duplicate connection ID"],
      [[wire("c1", "n9", "n2")], "Malformed workflow connection #c1: Connection source node is invalid"],
      [[wire("c1", "n1", "n9")], "Malformed workflow connection #c1: Connection destination node is invalid"],
      [
        [wire("c1", "n1", "n2"), wire("c2", "n1", "n2")],
        "Malformed workflow connection #c2: Duplicate source/destination node pair",
      ],
    ] as const
  ).map(([connections, text]) => [{ workflow: { ...graphOf(node("n2", "note")), connections } }, text] as const),
];

describe.each(ONE_STORAGE)("workflows over %s", (name) => {
  test("a workflow is an event with a graph, without targets and a program of its own", async () => {
    const at = await open(name);
    const workflow = {
      ...graphOf(
        node("n2", "event", { event: "asks", params: given, targets: [], tags: [], color: "red" }),
        node("n3", "job", { plugin: "free", category: "mine", targets: ["main"], algo: "random" }),
        node("n4", "action", mail),
        node("n5", "limit", { enabled: true, type: "time", duration: 60 }),
        node("n6", "controller", { controller: "join", title: "All" }),
        node("n7", "note", { body: "Hello" }),
      ),
      zoom: 2,
    };
    const sent = workflowOf({ workflow, targets: ["main"], plugin: "free" });
    const { event, unknown } = await at.must("create_event", sent);
    expect(unknown).toEqual(["workflow.zoom", "workflow.nodes.1.data.color"].sort());
    expect(event).toMatchObject({ type: "workflow", plugin: "_workflow", targets: [], workflow, revision: 1 });
    expect(event).not.toHaveProperty("algo");
    expect((await at.must("get_event", { id: "flow" })).event).toEqual(event);
    expect((await at.must("get_events", { type: "workflow" })).rows).toEqual([event]);
    const { rows } = await at.must("get_event_history", { id: "flow" });
    expect(rows[0].event.workflow).toEqual(workflow);
    const { event: changed } = await at.must("update_event", {
      ...event,
      title: "Other",
      type: "x",
      targets: ["main"],
    });
    expect(changed).toMatchObject({ type: "workflow", title: "Other", targets: [], workflow, revision: 2 });
    expect((await at.must("preview_event", { id: "flow" })).rows).toEqual([]);
    await at.must("delete_event", { id: "flow" });
  });

  test("members that start a process, and members of the engine, are never stored", async () => {
    const at = await open(name);
    const graph = {
      ...graphOf(node("n2", "job", { plugin: "free", command: "rm", script: "rm", env: {}, api_key: "k" })),
    };
    const { event } = await at.must(
      "create_event",
      workflowOf({ workflow: { ...graph, job: "j1", state: { n1: {} } } }),
    );
    expect(event.workflow).toEqual(graphOf(node("n2", "job", { plugin: "free" })));
  });

  test("each fault of a graph has its text, for a new workflow, a changed one and a run", async () => {
    const at = await open(name);
    await at.must("create_event", workflowOf());
    for (const [members, text] of faults) {
      const created = await at.post("create_event", workflowOf(members));
      expect([created.status, created.body.code, created.body.description]).toEqual([400, "api", text]);
      if (members["workflow"] === undefined) continue;
      const changed = await at.post("update_event", { id: "flow", ...members });
      expect([changed.status, changed.body.code, changed.body.description]).toEqual([400, "api", text]);
      const isPart = typeof members["workflow"] === "object" && !Object.hasOwn(members["workflow"] as Members, "nodes");
      if (isPart) continue;
      const run = await at.post("run_event", { id: "flow", ...members });
      expect([run.status, run.body.code, run.body.description]).toEqual([400, "api", text]);
    }
    expect(at.launched).toEqual([]);
  });

  test("an event that is no workflow keeps needing targets, an algorithm and a program", async () => {
    const at = await open(name);
    const refusal = async (members: Members) =>
      (await at.post("update_event", { id: "own", ...members })).body.description;
    expect(await refusal({ targets: [] })).toBe("Event has no targets specified.");
    expect(await refusal({ algo: "" })).toBe("Event has no algo specified.");
    expect(await refusal({ plugin: "" })).toBe("Event has no plugin specified.");
  });

  test("a category in which a node runs jobs is in use", async () => {
    const at = await open(name);
    await at.must("create_category", { id: "used", title: "Used" });
    await at.must(
      "create_event",
      workflowOf({ workflow: graphOf(node("n2", "job", { plugin: "free", category: "used" })) }),
    );
    expect((await at.post("delete_category", { id: "used" })).status).not.toBe(200);
    await at.must("update_event", { id: "flow", workflow: graphOf() });
    await at.must("delete_category", { id: "used" });
  });
});

const account = "You do not have the required account privileges to access";
const PRIVILEGES = ["create_events", "edit_events", "run_jobs"];

describe.each(ONE_STORAGE)("rights to write and run workflows over %s", (name) => {
  /** Answers to a limited caller for each way to write or run a workflow with a node. */
  async function refusals(at: Awaited<ReturnType<typeof open>>, limits: Members, data: [type: string, data: Members]) {
    const call = await at.caller(PRIVILEGES, limits);
    const workflow = graphOf(node("n2", ...data));
    const own = workflowOf({ id: "mine1", category: "mine" });
    await at.post("create_event", own);
    const created = await call("create_event", workflowOf({ id: "other", category: "mine", workflow }));
    const changed = await call("update_event", { id: "mine1", workflow });
    const posted = await call("run_event", { id: "mine1", workflow });
    await at.must("update_event", { id: "mine1", workflow });
    const stored = await call("update_event", { id: "mine1", workflow: graphOf() });
    const run = await call("run_event", { id: "mine1" });
    await at.must("update_event", { id: "mine1", workflow: graphOf() });
    return [created, changed, posted, stored, run].map(({ description, status }) =>
      status === 200 ? "ok" : description,
    );
  }
  const all = (text: string) => Array(5).fill(text);
  const inCategory = { categories: ["mine"] };
  const inGroup = { groups: ["web"] };

  test("nodes are within reach, also those of workflows that are run", async () => {
    const at = await open(name);
    const foreign = graphOf(node("n2", "event", { event: "foreign" }));
    await at.must("create_event", workflowOf({ id: "inner", category: "mine", workflow: foreign }));
    const middle = graphOf(node("n2", "event", { event: "inner" }));
    await at.must("create_event", workflowOf({ id: "outer", category: "mine", workflow: middle }));
    // A circle of workflows ends the walk all the same.
    await at.must("update_event", {
      id: "inner",
      workflow: { ...foreign, nodes: [...foreign.nodes, node("n3", "event", { event: "outer" })] },
    });
    const theirs = `${account} category ID theirs.`;
    const targets = `${account} targets: db.`;
    const cases: [Members, [string, Members], unknown][] = [
      [inCategory, ["event", { event: "own" }], all("ok")],
      [inCategory, ["event", { event: "foreign" }], all(theirs)],
      [inCategory, ["event", { event: "outer" }], all(theirs)],
      [inCategory, ["job", { plugin: "free", category: "mine" }], all("ok")],
      [inCategory, ["job", { plugin: "free" }], all("ok")],
      [inCategory, ["job", { plugin: "free", category: "theirs" }], all(theirs)],
      [inGroup, ["event", { event: "own" }], all("ok")],
      [inGroup, ["event", { event: "own", targets: [] }], all("ok")],
      [inGroup, ["event", { event: "foreign" }], all(targets)],
      [inGroup, ["event", { event: "outer" }], all(targets)],
      [inGroup, ["event", { event: "own", targets: ["db"] }], all(targets)],
      [inGroup, ["job", { plugin: "free", targets: ["db"] }], all(targets)],
      [inGroup, ["job", { plugin: "free", params: { _xy_override_targets: "db" } }], all(targets)],
      [inGroup, ["job", { plugin: "free", targets: ["web"] }], all("ok")],
    ];
    for (const [limits, data, expected] of cases) {
      expect([data, await refusals(at, limits, data)]).toEqual([data, expected]);
      await at.post("delete_event", { id: "other" });
    }
  });

  test("an event that is gone is told to limited callers before anything else of the graph", async () => {
    const at = await open(name);
    const call = await at.caller(PRIVILEGES, inCategory);
    const workflow = graphOf(node("n2", "event", { event: "gone" }));
    const answer = await call("create_event", workflowOf({ category: "mine", workflow }));
    expect([answer.status, answer.code, answer.description]).toEqual([
      400,
      "api",
      "Workflow references missing Event ID: gone",
    ]);
  });

  test("references of action nodes must be within reach, and stored ones may stay", async () => {
    const at = await open(name);
    const call = await at.caller(PRIVILEGES, inCategory);
    const runs = (event_id: string) => node("n2", "action", { enabled: true, type: "run_event", event_id });
    const own = (workflow: unknown) => workflowOf({ category: "mine", workflow });
    const refused = { status: 403, description: `${account} category ID theirs.` };
    expect(await call("create_event", own(graphOf(runs("foreign"))))).toMatchObject(refused);
    await at.must("create_event", own(graphOf(runs("foreign"))));
    const moved = { ...runs("foreign"), x: 500 };
    expect(await call("update_event", { id: "flow", workflow: graphOf(moved) })).toMatchObject({ status: 200 });
    const wired = { ...graphOf(moved), connections: [wire("c1", "n1", "n2", { condition: "error" })] };
    expect(await call("update_event", { id: "flow", workflow: wired })).toMatchObject(refused);
    expect(await call("run_event", { id: "flow", workflow: wired })).toMatchObject(refused);
    expect(await call("run_event", { id: "flow", workflow: graphOf(moved) })).toMatchObject({ status: 200 });
    expect(await call("update_event", { id: "flow", workflow: graphOf(runs("own")) })).toMatchObject({ status: 200 });
  });

  test("no limit to groups hides a workflow, and its category does", async () => {
    const at = await open(name);
    const workflow = graphOf(node("n2", "event", { event: "foreign" }));
    await at.must("create_event", workflowOf({ category: "theirs", workflow }));
    const grouped = await at.caller([], inGroup);
    expect(await grouped("get_event", { id: "flow" })).toMatchObject({ status: 200, event: { workflow } });
    expect((await grouped("get_events", {})).rows.map(({ id }: { id: string }) => id)).toContain("flow");
    const limited = await at.caller([], inCategory);
    expect((await limited("get_event", { id: "flow" })).status).toBe(403);
    expect((await limited("get_events", {})).rows.map(({ id }: { id: string }) => id)).toEqual(["own"]);
  });

  test("privileges of events are those of workflows", async () => {
    const at = await open(name);
    const call = await at.caller([]);
    for (const operation of ["create_event", "update_event", "run_event"])
      expect((await call(operation, workflowOf())).code).toBe("access");
  });
});

describe.each(ONE_STORAGE)("locked parameters and starts over %s", (name) => {
  const nodes = (secretOfJob: unknown, secretOfEvent: unknown) => [
    node("n2", "job", { plugin: "lock", params: { secret: secretOfJob } }),
    node("n3", "event", { event: "locked", params: { secret: secretOfEvent } }),
  ];
  const paramsIn = (workflow: { nodes: { type: string; data: Members }[] }) =>
    workflow.nodes.filter(({ type }) => type !== "trigger").map(({ data }) => data["params"]);

  test("a writer who is no administrator chooses none of them", async () => {
    const at = await open(name);
    const call = await at.caller(PRIVILEGES);
    const created = await call("create_event", workflowOf({ workflow: graphOf(...nodes("rm", "rm")) }));
    expect(paramsIn(created.event.workflow)).toEqual([{ secret: "preset" }, {}]);
    expect(created.warnings).toEqual(
      ["n2", "n3"].map(
        (id) => `Workflow node #${id}: Parameter 'secret' is locked: the value that was sent is not used.`,
      ),
    );
    await at.must("update_event", { id: "flow", workflow: graphOf(...nodes("one", "two")) });
    const changed = await call("update_event", { id: "flow", workflow: graphOf(...nodes("rm", "rm")) });
    expect(paramsIn(changed.event.workflow)).toEqual([{ secret: "one" }, { secret: "two" }]);
    const renamed = await call("update_event", { id: "flow", title: "Other" });
    expect(paramsIn(renamed.event.workflow)).toEqual([{ secret: "one" }, { secret: "two" }]);
    const [job, event] = nodes("rm", "rm");
    const others = graphOf({ ...job, id: "n8" }, { ...event, id: "n9" });
    const added = await call("update_event", { id: "flow", workflow: others });
    expect(paramsIn(added.event.workflow)).toEqual([{ secret: "preset" }, {}]);
  });

  test("a whole record is run by a caller with one privilege, with locked values as they are", async () => {
    const at = await open(name);
    const { event } = await at.must("create_event", workflowOf({ workflow: graphOf(...nodes("one", "two")) }));
    const call = await at.caller(["run_jobs"]);
    const triggers = [{ id: "n5", type: "manual", enabled: true }];
    const posted = { ...event, triggers, params: { a: 1 }, workflow: graphOf(...nodes("rm", "rm")), plugin: "free" };
    expect(await call("run_event", posted)).toMatchObject({ code: 0, id: "j1" });
    const [{ overrides = {}, params: sent } = {}] = at.launched;
    const workflow = overrides["workflow"] as never;
    expect(paramsIn(workflow)).toEqual([{ secret: "one" }, { secret: "two" }]);
    expect(workflow).toMatchObject({ start: "n1", connections: posted.workflow.connections });
    expect([sent, overrides["plugin"]]).toEqual([{ a: 1 }, undefined]);
  });

  test("a run begins with the manual trigger, or with the node that the caller names", async () => {
    const at = await open(name);
    await at.must("create_event", workflowOf({ workflow: graphOf(...nodes("one", "two")) }));
    const stored = (await at.must("get_event", { id: "flow" })).event.workflow;
    await at.must("run_event", { id: "flow" });
    await at.must("run_event", { id: "flow", "workflow/start": "n3" });
    await at.must("run_event", { id: "flow", workflow: { ...stored, start: "n2", job: "j9", node: "n9" } });
    expect(at.launched.map(({ overrides }) => overrides?.["workflow"])).toEqual([
      { ...stored, start: "n1" },
      { ...stored, start: "n3" },
      { ...stored, start: "n2" },
    ]);
    await at.must("update_event", { id: "flow", triggers: [] });
    const refused = await at.post("run_event", { id: "flow" });
    expect(refused.body.description).toBe("Event does not allow manual job runs: flow");
  });

  test("other launches begin with the trigger that fired", async () => {
    const at = await open(name);
    const triggers = [
      ...[manual, { id: "n2", type: "schedule", enabled: true, minutes: [1] }],
      ...[{ id: "n3", type: "magic", enabled: true, key: "mykey" }],
    ];
    const workflow = { ...graphOf(node("n2", "trigger"), node("n3", "trigger")), start: "n3" };
    await at.must("create_event", workflowOf({ triggers, workflow }));
    const link = await at.send("/api/app/magic/v1/mykey", { method: "POST" });
    expect(link.status).toBe(200);
    await at.clock.advance(61);
    await untilOf(at.clock)(() => at.launched.length > 1);
    const starts = at.launched.map(({ overrides = {}, source }) => [source, Object(overrides["workflow"])["start"]]);
    expect(starts).toEqual([
      ["magic", "n3"],
      ["scheduler", "n2"],
    ]);
  });
});
