import { describe, expect, expectTypeOf, test } from "vitest";
import * as z from "zod";
import { createTestSignalbox } from "../../testing/test-signalbox.ts";
import { defineEvent, type TypedEvent } from "../events/define-event.ts";
import { defineWorkflow } from "./define-workflow.ts";

const count = defineEvent({ id: "count", title: "Count", run: () => ({ rows: 3 }) });
const late = defineEvent({ id: "late", title: "Late", run: async () => Promise.resolve({ rows: "three" }) });
const store = defineEvent({
  id: "store",
  title: "Store",
  input: z.object({ rows: z.number() }),
  run: ({ data }) => ({ stored: data.rows * 2 }),
});

describe("the types of a workflow", () => {
  test("know the input and output of functions", () => {
    expectTypeOf(count).toEqualTypeOf<TypedEvent<Readonly<Record<string, unknown>>, { rows: number }>>();
    expectTypeOf(late).toEqualTypeOf<TypedEvent<Readonly<Record<string, unknown>>, { rows: string }>>();
    expectTypeOf(store).toEqualTypeOf<TypedEvent<{ rows: number }, { stored: number }>>();
  });

  test("refuse faulty wires", () => {
    const nodes = {
      count: { event: count },
      late: { event: late },
      store: { event: store },
      any: { plugin: "shellplug" },
      gate: { decision: "true" },
      tell: { action: { type: "tag", enabled: true, tags: [] } },
    } as const;
    const define = (wires: Parameters<typeof defineWorkflow<typeof nodes>>[0]["wires"]) =>
      defineWorkflow({ id: "flow", title: "Flow", nodes, wires });
    define([
      ["start", "count"],
      ["count", "store", "success"],
      ["count", "late", "tag:slow"],
      ["late", "store", "continue"],
      ["any", "store", "complete"],
      ["any", "tell", "start"],
      ["gate", "any"],
    ]);
    // @ts-expect-error An unknown node.
    expect(() => define([["start", "nowhere"]])).toThrow("there is no such node");
    // @ts-expect-error The wire leads nowhere.
    expect(() => define([["count"]])).toThrow("there is no such node");
    // @ts-expect-error A job needs a condition.
    expect(() => define([["count", "store"]])).toThrow("the wire from count to store needs a condition");
    // @ts-expect-error No such condition.
    define([["count", "store", "sometimes"]]);
    // @ts-expect-error The rows are a text, and a number is wanted.
    define([["late", "store", "success"]]);
    // @ts-expect-error A controller has no conditions.
    define([["gate", "any", "success"]]);
    // @ts-expect-error Nothing follows an action.
    define([["tell", "any"]]);
    // @ts-expect-error Only actions can be run at the start of a job.
    define([["any", "store", "start"]]);
  });
});

const items = defineEvent({ id: "items", title: "Items", run: () => ({ list: ["a", "b", "c"] }) });
const each = defineEvent({
  id: "each",
  title: "Each",
  input: z.object({ item: z.string() }),
  run: ({ data }) => ({ done: [data.item] }),
});
const flow = defineWorkflow({
  id: "flow",
  title: "Flow",
  schedule: "0 3 * * *",
  nodes: {
    items: { event: items },
    gate: { decision: "data.list.length > 0", abort: true },
    pause: { wait: 60 },
    split: { split: "data.list", continue: 50 },
    each: {
      event: each,
      limits: [
        { type: "retry", enabled: true, amount: 1, duration: 10 },
        { type: "job", enabled: true, amount: 2 },
        { type: "queue", enabled: true, amount: 10 },
      ],
    },
    report: { event: "count" },
  },
  wires: [
    ["start", "items"],
    ["items", "gate", "success"],
    ["gate", "pause"],
    ["pause", "split"],
    ["split", "each"],
    ["each", "report", "continue"],
  ],
});

describe("a declared workflow", () => {
  test("is a normal graph: stored, drawn and started by each of its triggers", async () => {
    await using box = await createTestSignalbox({ events: [items, each, count, flow] });
    const { event } = await box.api.getEvent({ id: "flow" });
    expect(event).toMatchObject({
      type: "workflow",
      plugin: "_workflow",
      triggers: [
        { id: "start", type: "manual" },
        { id: "start_2", type: "schedule" },
      ],
    });
    const graph = event["workflow"] as { nodes: { id: string; x: number }[]; connections: object[] };
    expect(graph.nodes.map(({ id }) => id)).toEqual([
      ...["start", "start_2", "items", "gate", "pause", "split", "each", "report"],
      ...["each_limit_1", "each_limit_2", "each_limit_3"],
    ]);
    expect(graph.connections).toContainEqual({ id: "c2", source: "start_2", dest: "items" });
    // When users edit the stored workflow, it passes all checks of the API.
    const nodes = graph.nodes.filter(({ id }) => id !== "report");
    const connections = graph.connections.filter((wire) => (wire as { dest: string }).dest !== "report");
    await box.api.updateEvent({ id: "flow", workflow: { nodes, connections } } as never);
  });

  test("runs on the virtual clock, and reports the result of each node", async () => {
    const failures = new Set(["b"]);
    await using box = await createTestSignalbox({
      events: [items, each, count, flow],
      stubs: {
        each: ({ input }) => {
          const { item } = (input as { data: { item: string } }).data;
          if (failures.delete(item)) throw new Error("Try later");
          return { done: [item] };
        },
      },
    });
    const { id } = await box.run("flow");
    const before = await box.nodes(id);
    expect(Object.keys(before)).toEqual(["start", "items", "gate", "pause"]);
    expect(before["pause"]?.state).toMatchObject({ active: true });
    await box.advanceBy({ minutes: 2 });
    const { split, each: jobs, report } = await box.nodes(id);
    expect(split?.state).toMatchObject({ max: 3, count: 3, active: false });
    expect(jobs?.runs.map(({ input, code }) => [(input as { data: unknown }).data, code])).toEqual(
      expect.arrayContaining([
        [{ item: "a" }, 0],
        [{ item: "b" }, 1],
        [{ item: "b" }, 0],
        [{ item: "c" }, 0],
      ]),
    );
    expect(report?.runs).toHaveLength(1);
    expect(await box.job(id)).toMatchObject({
      code: 0,
      data: { done: expect.arrayContaining(["a", "b", "c"]), rows: 3 },
    });
  });

  test("has a function refuse data that does not match its schema", async () => {
    await using box = await createTestSignalbox({ events: [store] });
    const { code, description } = await box.run("store", { input: { data: { rows: "many" } } });
    expect([code, description]).toEqual([expect.anything(), expect.stringContaining("Input 'rows'")]);
  });

  test("names the fault where types are not checked", () => {
    const wrong = (nodes: object, wires: readonly unknown[] = []) => {
      const define = () => defineWorkflow({ id: "flow", title: "Flow", nodes, wires } as never);
      return expect(define);
    };
    wrong({ start: { wait: 1 } }).toThrow("a node cannot be named start");
    wrong({ "a b": { wait: 1 } }).toThrow("Node ID is not alphanumeric");
    wrong({ a: { wait: 1 } }, [["a", "start"]]).toThrow("there is no such node");
    expect(() => defineWorkflow({ id: "Flow", title: "Flow", nodes: {}, wires: [] })).toThrow(
      "Malformed parameter: id",
    );
    expect(() => defineWorkflow(undefined as never)).toThrow("its definition must be an object");
  });

  test("refuses a misspelt member, such as a schedule or a limit of a node", () => {
    const base = {
      id: "flow",
      title: "Flow",
      nodes: { count: { event: count } },
      wires: [["start", "count"]],
    } as const;
    const schedul = { schedul: "0 3 * * *" };
    expect(() => defineWorkflow({ ...base, ...schedul })).toThrow('there is no member "schedul"; it takes id, title');
    // The types do not catch this.
    const nodes = { count: { event: count, limit: [] } } as const;
    expect(() => defineWorkflow({ ...base, nodes })).toThrow('node count: there is no member "limit"');
  });
});
