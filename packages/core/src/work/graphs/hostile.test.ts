import * as fc from "fast-check";
import { expect, test } from "vitest";
import { keyWith, startEngine } from "../../../test/engine.ts";
import { rounds } from "../../../test/rounds.ts";
import { SignalboxError } from "../../kernel/errors/errors.ts";

type Members = Record<string, unknown>;

const node = (id: string, type: string, data: Members) => ({ id, type, x: 1, y: 2, data });
const mail = { enabled: true, type: "email", users: "ada" };
const job = {
  plugin: "free",
  category: "general",
  params: { a: 1 },
  targets: ["main"],
  tags: ["flag"],
  algo: "random",
};

/** A graph with one node of each type. */
const graph = (): Members => ({
  nodes: [
    node("n1", "trigger", {}),
    node("n2", "event", { event: "runs", params: { a: 1 }, targets: ["main"], replay: "j1", expression: "true" }),
    node("n3", "job", { ...job, label: "L", icon: "i" }),
    node("n4", "action", mail),
    node("n5", "action", { enabled: true, type: "run_event", event_id: "runs", params: {} }),
    node("n6", "limit", { enabled: true, type: "time", duration: 5 }),
    node("n7", "controller", { controller: "split", split: "data.list", title: "T" }),
    node("n8", "note", { body: "B" }),
  ],
  connections: [
    { id: "c1", source: "n1", dest: "n2" },
    { id: "c2", source: "n2", dest: "n4", condition: "error" },
  ],
  start: "n1",
});

/** Paths of all values in a record. */
function pathsOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, inner]) => pathsOf(inner, [...path, name]))];
}

function spoilt(value: unknown, [name, ...rest]: readonly string[], odd: unknown): unknown {
  if (name === undefined) return odd;
  if (Array.isArray(value))
    return value.map((each, index) => (String(index) === name ? spoilt(each, rest, odd) : each));
  return { ...(value as Members), [name]: spoilt((value as Members)[name], rest, odd) };
}

const odd = fc.oneof(
  fc.constantFrom<unknown>(null, "", 0, -1, true, [], {}, "n1", "constructor", "a b", { toString: 1 }, [[]], [null]),
  fc.jsonValue({ maxDepth: 2 }),
);

test("odd values anywhere in a graph are refused with a message, or stored", async () => {
  await using at = await startEngine();
  const { api } = at;
  await api.createPlugin({ id: "free", title: "Free", type: "event", command: "sh" });
  const event = { title: "E", enabled: true, category: "general" };
  await api.createEvent({ ...event, id: "runs", plugin: "free", targets: ["main"], algo: "random" });
  const flow = {
    ...event,
    type: "workflow",
    workflow: graph(),
    triggers: [{ id: "n1", type: "manual", enabled: true }],
  };
  await api.createEvent({ ...flow, id: "flow" } as never);
  const limits = { categories: ["general"], groups: ["main"] };
  const callers = [api, at.as(keyWith(["create_events", "edit_events", "run_jobs"], limits))];
  const outcomes = { stored: 0, refused: 0 };
  const attempt = async (call: Promise<unknown>): Promise<void> => {
    try {
      await call;
      outcomes.stored++;
    } catch (error) {
      if (!(error instanceof SignalboxError)) throw error;
      // A launch has its own error codes.
      expect(["api", "access", "event"]).toContain(error.code);
      outcomes.refused++;
    }
  };
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...pathsOf(graph())), odd, async (path, value) => {
      const workflow = spoilt(graph(), path, value) as never;
      for (const caller of callers) {
        await attempt(caller.createEvent({ ...flow, workflow } as never));
        await attempt(caller.updateEvent({ id: "flow", workflow } as never));
        await attempt(caller.runEvent({ id: "flow", workflow } as never));
      }
    }),
    { seed: 20_261_124, numRuns: rounds(80, 250) },
  );
  expect(outcomes.stored).toBeGreaterThan(50);
  expect(outcomes.refused).toBeGreaterThan(50);
});
