import type { Point } from "../graph/canvas/layout.ts";
import type { Graph, GraphNode } from "../graph/model.ts";

/** Steps that can be taken back. */
const MAX_STEPS = 100;
const WIRED_UP: ReadonlySet<string> = new Set(["event", "job"]);

/** A name that no node or wire has yet. */
function freshId(prefix: string, taken: Iterable<string>): string {
  const known = new Set(taken);
  for (let number = 1; ; number += 1) if (!known.has(`${prefix}${number}`)) return `${prefix}${number}`;
}

export function addNode(graph: Graph, node: Omit<GraphNode, "id">, at: Point): { graph: Graph; id: string } {
  const id = freshId(
    "n",
    graph.nodes.map((one) => one.id),
  );
  return { id, graph: { ...graph, nodes: [...graph.nodes, { ...node, id, x: at.x, y: at.y }] } };
}

/** Wires two nodes; one wire for each pair. Wires from jobs have a condition, those from triggers and controllers need none. */
export function connect(graph: Graph, source: string, dest: string): Graph {
  const isThere = graph.connections.some((wire) => wire.source === source && wire.dest === dest);
  if (isThere || source === dest) return graph;
  const from = graph.nodes.find(({ id }) => id === source);
  const to = graph.nodes.find(({ id }) => id === dest);
  const ids = graph.connections.map(({ id }) => id);
  const needsCondition = WIRED_UP.has(from?.type ?? "") && to?.type !== "limit";
  const condition = to?.type === "action" ? "complete" : "success";
  const wire = { id: freshId("c", ids), source, dest, ...(needsCondition ? { condition } : {}) };
  return { ...graph, connections: [...graph.connections, wire] };
}

/** Takes a node out with its wires. */
export const removeNode = (graph: Graph, id: string): Graph => ({
  ...graph,
  nodes: graph.nodes.filter((node) => node.id !== id),
  connections: graph.connections.filter(({ source, dest }) => source !== id && dest !== id),
});

export const removeWire = (graph: Graph, id: string): Graph => ({
  ...graph,
  connections: graph.connections.filter((wire) => wire.id !== id),
});

export const setCondition = (graph: Graph, id: string, condition: string): Graph => ({
  ...graph,
  connections: graph.connections.map((wire) => (wire.id === id ? { ...wire, condition } : wire)),
});

/** Writes places down: when nodes were laid out by us, all of them, so that one that is moved does not move the others. */
export const placeNodes = (graph: Graph, points: ReadonlyMap<string, Point>): Graph => ({
  ...graph,
  nodes: graph.nodes.map((node) => ({ ...node, ...points.get(node.id) })),
});

export const setData = (graph: Graph, id: string, data: Readonly<Record<string, unknown>>): Graph => ({
  ...graph,
  nodes: graph.nodes.map((node) => (node.id === id ? { ...node, data } : node)),
});

/** Past states, the present one, and states that were undone. */
export interface History {
  readonly past: readonly Graph[];
  readonly present: Graph;
  readonly future: readonly Graph[];
}

export const begin = (present: Graph): History => ({ past: [], present, future: [] });

export const change = ({ past, present }: History, next: Graph): History =>
  next === present
    ? { past, present, future: [] }
    : { past: [...past, present].slice(-MAX_STEPS), present: next, future: [] };

export function undo(history: History): History {
  const before = history.past.at(-1);
  if (!before) return history;
  return { past: history.past.slice(0, -1), present: before, future: [history.present, ...history.future] };
}

export function redo(history: History): History {
  const [next, ...future] = history.future;
  if (!next) return history;
  return { past: [...history.past, history.present], present: next, future };
}
