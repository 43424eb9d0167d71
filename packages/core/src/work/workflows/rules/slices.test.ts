import { expect, test } from "vitest";
import { EMPTY_RUN } from "../model.ts";
import { advanceInSlices } from "./advance.ts";
import type { World } from "./draft.ts";
import { indexGraph } from "./graph-index.ts";
import { splitItems } from "./split.ts";

/** How often sliced work stops for others, and what it gives in the end. */
function drained<R>(slices: Generator<undefined, R>): { readonly stops: number; readonly value: R } {
  for (let stops = 0, slice = slices.next(); ; stops++, slice = slices.next())
    if (slice.done) return { stops, value: slice.value };
}

test("a step that runs a thousand nodes stops ten times", () => {
  const ids = Array.from({ length: 1000 }, (_, index) => `d${index}`);
  const graph = indexGraph({
    nodes: ids.map((id) => ({ id, type: "controller", data: { controller: "decision", decision: "true" } })),
    connections: ids.slice(1).map((dest, index) => ({ id: `c${index}`, source: `d${index}`, dest })),
  });
  const world: World = {
    ...{ graph, now: 1000, maxJobs: 10, triggers: new Set(), shared: {} },
    allows: () => true,
    evaluate: () => true,
  };
  const begin = { kind: "begin", start: "d0", input: {}, workflowData: {} } as const;
  const { stops, value } = drained(advanceInSlices(world, { state: EMPTY_RUN, nodes: new Map() }, begin));
  expect(stops).toBe(10);
  expect(value.rows.get("d999")?.shown).toMatchObject({ started: 1000 });
});

test("a filter over ten thousand items stops a hundred times, and keeps what it says", () => {
  const list = Array.from({ length: 10_000 }, (_, index) => index);
  const data = { controller: "split", split: "list", filter: "odd" } as const;
  const evaluate = (text: string, { item }: { readonly item?: unknown }) => (text === "list" ? list : Number(item) % 2);
  const { stops, value } = drained(splitItems(data, evaluate));
  expect(stops).toBe(100);
  expect(value).toHaveLength(5000);
});
