import { describe, expect, test } from "vitest";
import { given, graphOf, type Members, mail, node, openGraphs, wire, workflowOf } from "./boxes/graph-box.ts";
import { ONE_STORAGE } from "./open-storage.ts";

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
    const at = await openGraphs(name);
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
    const at = await openGraphs(name);
    const graph = {
      ...graphOf(node("n2", "job", { plugin: "free", command: "rm", script: "rm", env: {}, api_key: "k" })),
    };
    const { event } = await at.must(
      "create_event",
      workflowOf({ workflow: { ...graph, job: "j1", state: { n1: {} } } }),
    );
    expect(event.workflow).toEqual(graphOf(node("n2", "job", { plugin: "free" })));
  });

  test("each fault of a graph has its message, for a new workflow, a changed one and a run", async () => {
    const at = await openGraphs(name);
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
    const at = await openGraphs(name);
    const refusal = async (members: Members) =>
      (await at.post("update_event", { id: "own", ...members })).body.description;
    expect(await refusal({ targets: [] })).toBe("Event has no targets specified.");
    expect(await refusal({ algo: "" })).toBe("Event has no algo specified.");
    expect(await refusal({ plugin: "" })).toBe("Event has no plugin specified.");
  });

  test("a category in which a node runs jobs is in use", async () => {
    const at = await openGraphs(name);
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
