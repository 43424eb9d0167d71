import { byId } from "../../../../lib/by-id.ts";
import type { Connection, EventNode, Graph, GraphNode, PluginNode } from "../../../graphs/model.ts";

/** A graph with an index of its nodes and wires. */
export interface GraphIndex {
  readonly graph: Graph;
  readonly nodes: readonly GraphNode[];
  node(id: string): GraphNode | undefined;
  /** Wires from a node in the order of the graph, without wires whose node is missing. */
  from(id: string): readonly Connection[];
  into(id: string): readonly Connection[];
}

const NONE: readonly Connection[] = [];

export function indexGraph(graph: Graph): GraphIndex {
  // A launch may bring a graph that lacks these members; the run reports that.
  const { nodes: all = [], connections = [] } = graph as Partial<Graph>;
  const nodes = byId(all);
  const whole = connections.filter(({ source, dest }) => nodes.has(source) && nodes.has(dest));
  const bySource = Map.groupBy(whole, ({ source }) => source);
  const byDest = Map.groupBy(whole, ({ dest }) => dest);
  return {
    graph,
    nodes: all,
    node: (id) => nodes.get(id),
    from: (id) => bySource.get(id) ?? NONE,
    into: (id) => byDest.get(id) ?? NONE,
  };
}

/** Nodes on which jobs run. */
export const runsJobs = (node: GraphNode | undefined): node is EventNode | PluginNode =>
  node?.type === "event" || node?.type === "job";
