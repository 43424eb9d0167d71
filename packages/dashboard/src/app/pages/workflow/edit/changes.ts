import { NODE, type Point } from "../graph/canvas/layout.ts";
import type { Graph, GraphNode, Wire } from "../graph/model.ts";

/** Maximum number of undo steps. */
const MAX_STEPS = 100;
const WIRED_UP: ReadonlySet<string> = new Set(["event", "job"]);

/** Returns an id that no node or wire has yet. */
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

/** Connects two nodes, at most once per pair. Wires from jobs get a condition; those from triggers and controllers need none. */
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

/** Offsets for placing a new node: one column to the right, or one row further down if the place is taken. */
const STEP = { x: 280, y: 84 } as const;

function freeFrom(graph: Graph, at: Point): Point {
  const isTaken = graph.nodes.some(
    ({ x = 0, y = 0 }) => Math.abs(x - at.x) < NODE.width && Math.abs(y - at.y) < NODE.height,
  );
  return isTaken ? freeFrom(graph, { x: at.x, y: at.y + STEP.y }) : at;
}

/** Types of graph nodes that can be between two others, and types that only nodes that run jobs may lead to. */
const BETWEEN: ReadonlySet<string> = new Set(["event", "job", "controller"]);
const OWN: ReadonlySet<string> = new Set(["action", "limit"]);
export const isBetween = (type: string): boolean => BETWEEN.has(type);

function mayLead(from: string, to: string): boolean {
  if (OWN.has(to)) return WIRED_UP.has(from);
  return isBetween(to) && (isBetween(from) || from === "trigger");
}

/** Adds a node after `source` with a wire to it. If no wire may lead from one to the other, adds it without. */
export function addBehind(graph: Graph, source: GraphNode, node: Omit<GraphNode, "id">): { graph: Graph; id: string } {
  const { x = 0, y = 0 } = source;
  const made = addNode(graph, node, freeFrom(graph, { x: x + STEP.x, y }));
  return mayLead(source.type, node.type) ? { ...made, graph: connect(made.graph, source.id, made.id) } : made;
}

/** Inserts a node into a wire. The wire then leads to it and keeps its condition; a second wire leads on. */
export function addBetween(graph: Graph, wire: Wire, node: Omit<GraphNode, "id">): { graph: Graph; id: string } {
  const [from, to] = [wire.source, wire.dest].map((id) => graph.nodes.find((one) => one.id === id));
  const middle = { x: ((from?.x ?? 0) + (to?.x ?? 0)) / 2, y: ((from?.y ?? 0) + (to?.y ?? 0)) / 2 };
  const made = addNode(graph, node, freeFrom(graph, middle));
  const connections = made.graph.connections.map((one) => (one.id === wire.id ? { ...one, dest: made.id } : one));
  return { ...made, graph: connect({ ...made.graph, connections }, made.id, wire.dest) };
}

/** Removes a node and its wires. */
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

/** Stores positions of nodes. After an automatic layout, stores all of them, so that moving one does not move the others. */
export const placeNodes = (graph: Graph, points: ReadonlyMap<string, Point>): Graph => ({
  ...graph,
  nodes: graph.nodes.map((node) => ({ ...node, ...points.get(node.id) })),
});

export const setData = (graph: Graph, id: string, data: Readonly<Record<string, unknown>>): Graph => ({
  ...graph,
  nodes: graph.nodes.map((node) => (node.id === id ? { ...node, data } : node)),
});

/** Undo history: earlier states, the current one, and undone states. */
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
