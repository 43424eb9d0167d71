import { describe, expect, test } from "vitest";
import { addBehind, addBetween, addNode, begin, change, connect, redo, removeNode, undo } from "./edit/changes.ts";
import { faultsOf, type Known } from "./edit/faults.ts";
import { inOrder, layeredPoints, layersOf, layoutOf } from "./graph/canvas/layout.ts";
import { neighbourOf } from "./graph/canvas/walk.ts";
import { type Graph, graphOf } from "./graph/model.ts";
import { factsOf, lookOf } from "./graph/states.ts";

const graph = (nodes: Readonly<Record<string, string | object>>, ...wires: readonly string[]): Graph => ({
  nodes: Object.entries(nodes).map(([id, given]) =>
    typeof given === "string" ? { id, type: given } : { id, ...(given as { type: string }) },
  ),
  connections: wires.map((wire, at) => {
    const [source = "", dest = ""] = wire.split(">");
    return { id: `c${at}`, source, dest };
  }),
});

describe("layers", () => {
  test.each([
    ["a row", ["a>b", "b>c"], { a: 0, b: 1, c: 2 }],
    ["the longest way counts", ["a>b", "b>c", "a>c"], { a: 0, b: 1, c: 2 }],
    ["a circle ends", ["a>b", "b>c", "c>a"], { a: 0, b: 1, c: 2 }],
    ["a wire to itself", ["a>a", "a>b", "b>c"], { a: 0, b: 1, c: 2 }],
    ["a wire to nowhere", ["a>gone", "a>b", "b>c"], { a: 0, b: 1, c: 2 }],
  ])("%s", (_fact, wires, layers) =>
    expect(Object.fromEntries(layersOf(graph({ a: "job", b: "job", c: "job" }, ...wires)))).toEqual(layers),
  );

  test("ten thousand nodes in a row are laid out", () => {
    const ids = Array.from({ length: 10_000 }, (_, at) => `n${at}`);
    const long = graph(
      Object.fromEntries(ids.map((id) => [id, "job"])),
      ...ids.slice(1).map((id, at) => `n${at}>${id}`),
    );
    expect(layersOf(long).get("n9999")).toBe(9999);
  });
});

describe("places", () => {
  test("are kept as they were saved", () => {
    const placed = graph({ a: { type: "job", x: 5, y: 7 }, b: { type: "job", x: 500, y: 7 } });
    expect(layoutOf(placed).get("a")).toEqual({ x: 5, y: 7 });
  });
  test.each([
    ["at the same point", { a: { type: "job", x: 5, y: 7 }, b: { type: "job", x: 6, y: 8 } }],
    ["nowhere", { a: "job", b: "job" }],
    ["without numbers", { a: { type: "job", x: Number.NaN, y: 1 }, b: "job" }],
  ])("are laid out where they are %s", (_fact, nodes) => {
    const given = graph(nodes, "a>b");
    expect(layoutOf(given)).toEqual(layeredPoints(given));
    expect(layoutOf(given).get("b")?.x).toBeGreaterThan(layoutOf(given).get("a")?.x ?? 0);
  });
  test("arrow keys move along the wires", () => {
    const given = graph({ a: "trigger", b: "job", c: "job" }, "a>b", "a>c");
    const around = { graph: given, points: layoutOf(given) };
    expect(neighbourOf("a", "ArrowRight", around)).toBe("b");
    expect(neighbourOf("c", "ArrowLeft", around)).toBe("a");
    expect(neighbourOf("b", "ArrowDown", around)).toBe("c");
    expect(neighbourOf("b", "x", around)).toBeUndefined();
    expect(inOrder(given).map(({ id }) => id)).toEqual(["a", "b", "c"]);
  });
});

test.each([undefined, null, 5, {}, { nodes: "x" }, { nodes: [null, { id: 5 }], connections: [{ source: 1 }] }])(
  "%j is an empty graph",
  (value) => expect([graphOf(value).nodes, graphOf(value).connections]).toEqual([[], []]),
);

describe("the state of a node", () => {
  const look = (workflow: object, active: readonly object[] = []) =>
    lookOf("n", factsOf(workflow, active as never, { job: "j" }));
  const part = (state: string) => ({ id: "x", state, workflow: { job: "j", node: "n" } });
  test.each([
    ["not reached", {}, [], undefined],
    ["a job runs", {}, [part("active")], { state: "run", note: "" }],
    ["a job waits", {}, [part("queued")], { state: "wait", note: "" }],
    ["another run's job", {}, [{ ...part("active"), workflow: { job: "other", node: "n" } }], undefined],
    [
      "one failed",
      {
        jobs: {
          n: [
            { id: "a", code: 0 },
            { id: "b", code: 1 },
          ],
        },
      },
      [],
      { state: "fail", note: "2" },
    ],
    [
      "a retried one does not count",
      {
        jobs: {
          n: [
            { id: "a", code: 1, retried: true },
            { id: "b", code: 0 },
          ],
        },
      },
      [],
      { state: "ok", note: "" },
    ],
    ["a controller counts", { state: { n: { active: true, max: 4, count: 1 } } }, [], { state: "run", note: "1 / 4" }],
    ["an error", { state: { n: { error: true } } }, [], { state: "fail", note: "" }],
    ["an action that ran", { state: { n: { code: 0, date: 5 } } }, [], { state: "ok", note: "" }],
    ["nonsense", { state: 5, jobs: "x" }, [], undefined],
  ])("%s", (_fact, workflow, active, expected) => expect(look(workflow, active)).toEqual(expected));
});

describe("changes of a graph", () => {
  test("a node is added, wired once, and removed with its wires", () => {
    const first = addNode(graph({ t: "trigger" }), { type: "job" }, { x: 1, y: 2 });
    const wired = connect(connect(first.graph, "t", first.id), "t", first.id);
    expect(wired.connections).toEqual([{ id: "c1", source: "t", dest: first.id }]);
    const action = addNode(wired, { type: "action" }, { x: 0, y: 0 });
    expect(connect(action.graph, first.id, action.id).connections[1]).toMatchObject({ condition: "complete" });
    expect(connect(wired, "t", "t")).toBe(wired);
    expect(removeNode(wired, first.id)).toEqual(graph({ t: "trigger" }));
  });

  test("a new node is wired to the selected one where allowed, or put on a wire with its condition", () => {
    const begun = graph({ t: "trigger", a: "job", b: "job" }, "t>a", "a>b");
    const at = (id: string) => begun.nodes.find((node) => node.id === id) ?? { id, type: "" };
    const wires = (of: Graph) => of.connections.map(({ source, dest, condition }) => [source, dest, condition]);
    const added = (id: string, type: string) => wires(addBehind(begun, at(id), { type }).graph).slice(2);
    expect(added("b", "job")).toEqual([["b", "n1", "success"]]);
    expect(added("b", "action")).toEqual([["b", "n1", "complete"]]);
    expect(added("t", "controller")).toEqual([["t", "n1", undefined]]);
    expect([added("t", "action"), added("b", "note")]).toEqual([[], []]);
    const onFailure = { ...begun, connections: begun.connections.map((wire) => ({ ...wire, condition: "error" })) };
    const [, wire] = onFailure.connections;
    if (!wire) throw new Error("There is no second wire");
    expect(wires(addBetween(onFailure, wire, { type: "job" }).graph)).toEqual([
      ["t", "a", "error"],
      ["a", "n1", "error"],
      ["n1", "b", "success"],
    ]);
  });

  test("a hundred steps can be undone, and redone", () => {
    const at = (n: number): Graph => ({ nodes: [], connections: [], n });
    let history = begin(at(0));
    for (let n = 1; n <= 150; n += 1) history = change(history, at(n));
    for (let n = 0; n < 200; n += 1) history = undo(history);
    expect(history.present["n"]).toBe(50);
    expect(redo(history).present["n"]).toBe(51);
    expect(change(undo(history), at(7)).future).toEqual([]);
  });
});

describe("faults", () => {
  const known: Known = {
    ...{ own: "w", events: new Set(["e", "w"]), plugins: new Set(["p"]) },
    ...{ categories: new Set(["general"]), triggers: new Set(["t"]) },
  };
  const node = (type: string, data: object) => ({ type, data });
  test.each([
    ["an event", node("event", { event: "e" }), []],
    ["no event", node("event", { event: "" }), ["fault.noEvent"]],
    ["itself", node("event", { event: "w" }), ["fault.self"]],
    ["a deleted event", node("event", { event: "x" }), ["fault.event"]],
    ["a deleted plugin", node("job", { plugin: "x" }), ["fault.plugin"]],
    ["a deleted category", node("job", { plugin: "p", category: "x" }), ["fault.category"]],
    ["targets that are no list", node("job", { plugin: "p", targets: "x" }), ["fault.targets"]],
    ["a repeat of nothing", node("controller", { controller: "repeat" }), ["fault.one"]],
    ["a decision", node("controller", { controller: "decision" }), []],
    ["an unknown controller", node("controller", { controller: "x" }), ["fault.controller"]],
    ["a limit without an amount", node("limit", { type: "job" }), ["fault.amount"]],
    ["a limit of time", node("limit", { type: "time", duration: 5 }), []],
    ["an unknown type", node("toString", {}), ["fault.type"]],
  ])("%s", (_fact, one, faults) =>
    expect(faultsOf(graph({ t: "trigger", n: one }, "t>n"), known).map(({ text }) => text)).toEqual(faults),
  );
  test("an event that is not selected yet, in a workflow that is not saved yet", () => {
    const unsaved = graph({ t: "trigger", n: node("event", { event: "" }) }, "t>n");
    expect(faultsOf(unsaved, { ...known, own: "" }).map(({ text }) => text)).toEqual(["fault.noEvent"]);
  });
  test.each([
    ["all of its wires come from before it", ["t>a", "t>b", "a>j", "b>j", "j>c"], []],
    ["one comes from after it", ["t>a", "a>j", "j>b", "b>j", "b>c"], ["fault.circle"]],
    ["one comes from after it, and from before it as well", ["t>a", "t>b", "a>j", "j>b", "b>j", "b>c"], []],
  ])("a join: %s", (_fact, wires, faults) => {
    const job = node("job", { plugin: "p" });
    const nodes = { t: "trigger", a: job, b: job, c: job, j: node("controller", { controller: "join" }) };
    expect(faultsOf(graph(nodes, ...wires), known).map(({ text }) => text)).toEqual(faults);
  });
  test("a node that no wire leads to, and a deleted trigger", () => {
    const found = faultsOf(graph({ u: "trigger", n: node("event", { event: "e" }) }), known);
    expect(found.map(({ text }) => text)).toEqual(["fault.trigger", "fault.alone"]);
  });
});
