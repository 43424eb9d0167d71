import { curve, layeredPoints, layersOf, type Point, port } from "../workflow/graph/canvas/layout.ts";
import type { Graph, GraphNode, Wire } from "../workflow/graph/model.ts";

export interface Drawn {
  readonly points: ReadonlyMap<string, Point>;
  /** The path of each wire. */
  readonly ways: ReadonlyMap<string, string>;
}

/**
 * Lays out the nodes and routes the wires. A wire that crosses a column gets its own slot in it, so that it does not
 * run through a node.
 */
export function drawnOf(graph: Graph): Drawn {
  const layers = layersOf(graph);
  const nodes: GraphNode[] = [...graph.nodes];
  const connections: Wire[] = [];
  const stops = new Map<string, readonly string[]>();
  for (const wire of graph.connections) {
    const columns = (layers.get(wire.dest) ?? 0) - (layers.get(wire.source) ?? 0);
    const passed = Array.from({ length: Math.max(0, columns - 1) }, (_, at) => `${wire.id} ${at}`);
    nodes.push(...passed.map((id) => ({ id, type: "passed" })));
    const all = [wire.source, ...passed, wire.dest];
    stops.set(wire.id, all);
    for (const [at, dest] of all.slice(1).entries())
      connections.push({ id: `${wire.id} to ${at}`, source: all[at] ?? "", dest });
  }
  const points = layeredPoints({ nodes, connections });
  return { points, ways: new Map([...stops].map(([id, all]) => [id, wayThrough(all, points)])) };
}

/** Draws curves between the stops and a straight line through each slot. */
function wayThrough(stops: readonly string[], points: ReadonlyMap<string, Point>): string {
  const at = (id: string | undefined, side: "out" | "in"): Point => port(points.get(id ?? "") ?? { x: 0, y: 0 }, side);
  const parts = stops.slice(1).map((next, index) => curve(at(stops[index], "out"), at(next, "in")));
  return parts.map((part, index) => (index === 0 ? part : `L${part.slice(1)}`)).join("");
}
