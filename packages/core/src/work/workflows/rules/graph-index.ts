import type { Connection, EventNode, Graph, GraphNode, PluginNode } from "../../graphs/model.ts";

/** A graph that is asked for its nodes and wires often. */
export interface GraphIndex {
  readonly graph: Graph;
  node(id: string): GraphNode | undefined;
  /** Connections from a node, in the order of the graph; those to nodes that are gone are left out. */
  from(id: string): readonly Connection[];
  into(id: string): readonly Connection[];
  /** Names of connections and nodes share one list of states. */
  readonly names: readonly string[];
}

const NONE: readonly Connection[] = [];

export function indexGraph(graph: Graph): GraphIndex {
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const whole = graph.connections.filter(({ source, dest }) => nodes.has(source) && nodes.has(dest));
  const bySource = Map.groupBy(whole, ({ source }) => source);
  const byDest = Map.groupBy(whole, ({ dest }) => dest);
  return {
    graph,
    node: (id) => nodes.get(id),
    from: (id) => bySource.get(id) ?? NONE,
    into: (id) => byDest.get(id) ?? NONE,
    names: [...nodes.keys(), ...whole.map(({ id }) => id)],
  };
}

/** Nodes on which jobs run. */
export const runsJobs = (node: GraphNode | undefined): node is EventNode | PluginNode =>
  node?.type === "event" || node?.type === "job";
