import { describe, expect, test } from "vitest";
import { keepLockedNodes, type LockFacts } from "./locked.ts";

const locked = (id: string, value?: string, members: object = {}) => ({
  id,
  type: "text",
  value,
  locked: true,
  ...members,
});
const facts: LockFacts = {
  event: (id) =>
    ({
      e1: { plugin: "p1", fields: [locked("field", "preset")], params: { script: "event's" } },
      e2: { plugin: "p1", fields: [locked("field", "preset")], params: { field: "event's" } },
      open: { plugin: "none", fields: [], params: {} },
    })[id],
  plugin: (id) =>
    ({
      p1: { params: [locked("script", "default"), { id: "free", type: "text" }] },
      p2: { params: [locked("script", undefined, { required: true })] },
    })[id],
};

const graph = (type: string, data: object) => ({ nodes: [{ id: "n1", type, x: 1, data }], connections: [] });
const paramsOf = (value: unknown) => (value as ReturnType<typeof graph>).nodes[0]?.data as { params: unknown };

function keep(sent: unknown, stored: unknown) {
  const steps = keepLockedNodes(sent, stored, facts);
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

describe("locked parameters of a node", () => {
  test.each<[string, string, object, object | undefined, object]>([
    [
      "a new job node has the default",
      "job",
      { plugin: "p1", params: { script: "rm", free: 1 } },
      undefined,
      { script: "default", free: 1 },
    ],
    ["also without parameters", "job", { plugin: "p1" }, undefined, { script: "default" }],
    [
      "a stored one its stored value",
      "job",
      { plugin: "p1", params: { script: "rm" } },
      { plugin: "p1", params: { script: "mine" } },
      { script: "mine" },
    ],
    [
      "with another plugin the default",
      "job",
      { plugin: "p1", params: { script: "rm" } },
      { plugin: "p0", params: { script: "mine" } },
      { script: "default" },
    ],
    [
      "an action node the default of its plugin",
      "action",
      { type: "plugin", plugin_id: "p1", params: { script: "rm", free: 1 } },
      undefined,
      { script: "default", free: 1 },
    ],
    [
      "an action node the value of the event that it starts",
      "action",
      { type: "run_event", event_id: "e2", params: { field: "x" } },
      undefined,
      { field: "event's" },
    ],
    [
      "a stored action node its stored value",
      "action",
      { type: "plugin", plugin_id: "p1", params: { script: "rm" } },
      { type: "plugin", plugin_id: "p1", params: { script: "mine" } },
      { script: "mine" },
    ],
    [
      "a new event node leaves it to the event",
      "event",
      { event: "e1", params: { script: "rm", x: 1 } },
      undefined,
      { field: "preset", x: 1 },
    ],
    [
      "fields of the event have their default",
      "event",
      { event: "e1", params: { field: "mine" } },
      undefined,
      { field: "preset" },
    ],
    ["or the value of the event", "event", { event: "e2", params: { field: "mine" } }, undefined, {}],
    [
      "a stored one keeps its values",
      "event",
      { event: "e1", params: { script: "rm", field: "b" } },
      { event: "e1", params: { script: "s", field: "f" } },
      { script: "s", field: "f" },
    ],
    [
      "without a stored value the sent one is dropped",
      "event",
      { event: "e1", params: { script: "rm" } },
      { event: "e1", params: {} },
      { field: "preset" },
    ],
    [
      "with another event too",
      "event",
      { event: "e1", params: { script: "rm" } },
      { event: "open", params: { script: "s" } },
      { field: "preset" },
    ],
  ])("%s", (_name, type, data, stored, expected) => {
    const before = stored && graph(type, stored);
    const kept = keep(graph(type, data), before);
    expect(paramsOf(kept.graph).params).toEqual(expected);
    expect(kept.fault).toBeUndefined();
  });

  test("a sent value that is not used gives a warning", () => {
    expect(keep(graph("job", { plugin: "p1", params: { script: "rm" } }), undefined).warnings).toEqual([
      "Workflow node #n1: Parameter 'script' is locked: the value that was sent is not used.",
    ]);
    expect(keep(graph("job", { plugin: "p1", params: { script: "default" } }), undefined).warnings).toEqual([]);
  });

  test("a required parameter without a value is a fault", () => {
    expect(keep(graph("job", { plugin: "p2", params: { script: "x" } }), undefined).fault).toBe(
      "Malformed workflow node #n1: Parameter 'script' is locked: only administrators may choose its value.",
    );
  });

  test.each([
    graph("event", { event: "open", params: { a: 1 } }),
    graph("event", { event: "gone" }),
    graph("note", {}),
  ])("nodes without locked parameters stay unchanged", (sent) => {
    expect(keep(sent, undefined).graph).toEqual(sent);
  });

  test.each([undefined, null, 5, [], { nodes: 5 }, { nodes: [5, null] }])(
    "a value that is no graph stays as sent: %j",
    (sent) => {
      expect(keep(sent, sent).graph).toEqual(sent);
    },
  );
});

test.each(["job", "event"])("a %s node whose plugin or event is no text stays unchanged, to be refused", (type) => {
  for (const odd of [{ toString: 1 }, [[]], [{ toString: 1 }], null, undefined, Object.create(null)]) {
    const sent = graph(type, { plugin: odd, event: odd });
    expect(keep(sent, undefined)).toEqual({ graph: sent, warnings: [], fault: undefined });
  }
});
