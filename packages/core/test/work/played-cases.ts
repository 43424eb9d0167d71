import { expect } from "vitest";
import { type PlayedGraph, PlayedRun } from "../../src/testing/test-graphs.ts";

/** A graph, the events of its run, and the expected view of the run. */
export type Case = [name: string, graph: PlayedGraph, play: (run: PlayedRun) => unknown, expected: object];

export const check = (...[, graph, play, expected]: Case): void => {
  const run = new PlayedRun(graph);
  play(run);
  expect(run.view).toMatchObject(expected);
};

export const nothing = (): void => undefined;

export const WARNED = { code: "warning", description: "Workflow completed, but nodes generated warnings." };

export const aborted = (description: string) => ({ aborted: description, result: { code: "abort", description } });

/** A graph with one node before a job. */
export const once = <T>(node: T, ...wires: string[]) => ({
  nodes: { x: node, a: "job" },
  wires: ["start>x", "x>a", ...wires],
});

export const ONE: PlayedGraph = { nodes: { a: "job" }, wires: ["start>a"] };

export const wired = (condition: string): PlayedGraph => ({
  nodes: { a: "job", b: "job" },
  wires: ["start>a", `a>b:${condition}`],
});
