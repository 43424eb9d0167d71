import { isRecord } from "../../../data/records/is-record.ts";

/** The graph of a workflow as stored in events and jobs (docs/contract/workflows.md#graph). Unknown members are kept. */
export interface GraphNode {
  readonly id: string;
  readonly type: string;
  readonly x?: number;
  readonly y?: number;
  readonly data?: Readonly<Record<string, unknown>>;
}

export interface Wire {
  readonly id: string;
  readonly source: string;
  readonly dest: string;
  readonly condition?: string;
}

export interface Graph {
  readonly start?: string;
  readonly nodes: readonly GraphNode[];
  readonly connections: readonly Wire[];
  readonly [member: string]: unknown;
}

const EMPTY_GRAPH: Graph = { nodes: [], connections: [] };

/** Reads the graph of a record. Leaves out malformed parts, because a page must open whatever was stored. */
export function graphOf(workflow: unknown): Graph {
  if (!isRecord(workflow)) return EMPTY_GRAPH;
  const { nodes, connections } = workflow;
  return {
    ...workflow,
    nodes: (Array.isArray(nodes) ? nodes : []).filter((node) => isRecord(node) && typeof node["id"] === "string"),
    connections: (Array.isArray(connections) ? connections : []).filter(
      (wire) => isRecord(wire) && typeof wire["source"] === "string" && typeof wire["dest"] === "string",
    ),
  } as Graph;
}

/** A member of a node's data as text. */
export function textOf(node: GraphNode, name: string): string {
  const value = node.data?.[name];
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
