import type { Graph, GraphNode, Wire } from "../model.ts";

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Size of a node in pixels, and the distance from one to the next. */
export const NODE = { width: 208, height: 56 } as const;
const STEP = { x: 280, y: 84 } as const;

/** The nodes that each node leads to. */
function followers(wires: readonly Wire[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { source, dest } of wires) found.set(source, [...(found.get(source) ?? []), dest]);
  return found;
}

/**
 * Topological order of the nodes. A wire that closes a cycle is ignored. Iterative instead of recursive, because a
 * graph may be ten thousand nodes deep.
 */
function sortedIds({ nodes, connections }: Graph): string[] {
  const behind = followers(connections);
  const known = new Set(nodes.map(({ id }) => id));
  const seen = new Set<string>();
  const order: string[] = [];
  const nextOf = (id: string): string | undefined => {
    const rest = behind.get(id) ?? [];
    while (rest.length > 0) {
      const next = rest.shift();
      if (next !== undefined && known.has(next) && !seen.has(next)) return next;
    }
    return undefined;
  };
  for (const { id } of nodes) {
    const way = seen.has(id) ? [] : [id];
    seen.add(id);
    for (let top = way.at(-1); top !== undefined; top = way.at(-1)) {
      const next = nextOf(top);
      if (next === undefined) order.push(way.pop() ?? "");
      else way.push(next);
      if (next !== undefined) seen.add(next);
    }
  }
  return order.reverse();
}

/** The layer (column) of each node: the length of the longest path to it. */
export function layersOf(graph: Graph): Map<string, number> {
  const layers = new Map(graph.nodes.map(({ id }) => [id, 0]));
  const behind = followers(graph.connections);
  const order = sortedIds(graph);
  const place = new Map(order.map((id, at) => [id, at]));
  for (const id of order) {
    const further = (behind.get(id) ?? []).filter((next) => (place.get(next) ?? -1) > (place.get(id) ?? 0));
    for (const next of further) layers.set(next, Math.max(layers.get(next) ?? 0, (layers.get(id) ?? 0) + 1));
  }
  return layers;
}

/** All nodes, each after its predecessors. */
export function inOrder(graph: Graph): readonly GraphNode[] {
  const layers = layersOf(graph);
  return graph.nodes.toSorted((left, right) => (layers.get(left.id) ?? 0) - (layers.get(right.id) ?? 0));
}

/** True if the nodes have saved positions that do not overlap. */
function isPlaced(nodes: readonly GraphNode[]): boolean {
  const cells = new Set<string>();
  for (const { x, y } of nodes) {
    if (typeof x !== "number" || typeof y !== "number" || !Number.isFinite(x) || !Number.isFinite(y)) return false;
    const cell = `${Math.round(x / (NODE.width / 2))} ${Math.round(y / (NODE.height / 2))}`;
    if (cells.has(cell)) return false;
    cells.add(cell);
  }
  return true;
}

/**
 * Positions of nodes: the saved ones, else layers from left to right with each node near the vertical middle of its
 * predecessors.
 */
export function layoutOf(graph: Graph): ReadonlyMap<string, Point> {
  if (isPlaced(graph.nodes)) return new Map(graph.nodes.map(({ id, x = 0, y = 0 }) => [id, { x, y }]));
  return layeredPoints(graph);
}

export function layeredPoints(graph: Graph): ReadonlyMap<string, Point> {
  const layers = layersOf(graph);
  const before = new Map<string, string[]>();
  for (const { source, dest } of graph.connections) before.set(dest, [...(before.get(dest) ?? []), source]);
  const columns: GraphNode[][] = [];
  for (const node of graph.nodes) {
    const layer = layers.get(node.id) ?? 0;
    columns[layer] = [...(columns[layer] ?? []), node];
  }
  const points = new Map<string, Point>();
  for (const [column, nodes] of columns.entries()) {
    const wish = (id: string): number => {
      const known = (before.get(id) ?? []).flatMap((source) => points.get(source)?.y ?? []);
      return known.length > 0 ? known.reduce((sum, y) => sum + y, 0) / known.length : 0;
    };
    const sorted = (nodes ?? []).toSorted((left, right) => wish(left.id) - wish(right.id));
    const middle = sorted.reduce((sum, { id }) => sum + wish(id), 0) / Math.max(1, sorted.length);
    for (const [row, { id }] of sorted.entries())
      points.set(id, { x: column * STEP.x, y: middle + (row - (sorted.length - 1) / 2) * STEP.y });
  }
  return points;
}

/** The bounding box of all nodes. */
export function frameOf(points: ReadonlyMap<string, Point>) {
  const all = [...points.values()];
  if (all.length === 0) return { x: 0, y: 0, width: NODE.width, height: NODE.height };
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y } of all) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + NODE.width);
    bottom = Math.max(bottom, y + NODE.height);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Length of a wire's arrowhead. The curve ends before it, even between nodes that are close together. */
const HEAD = 8;

/** A curve that leaves to the right and arrives from the left, even if its end is to the left of its start. */
export function curve(from: Point, to: Point): string {
  const end = to.x - HEAD;
  const bend = Math.max(40, Math.abs(end - from.x) / 2);
  return `M${from.x} ${from.y}C${from.x + bend} ${from.y} ${end - bend} ${to.y} ${end} ${to.y}H${to.x}`;
}

/** The middle of the side where wires leave or arrive. */
export const port = ({ x, y }: Point, side: "out" | "in"): Point => ({
  x: side === "out" ? x + NODE.width : x,
  y: y + NODE.height / 2,
});
