import type { HeardNode } from "./entries.ts";

type Seen = Pick<HeardNode, "host" | "id" | "protocol" | "state">;

/**
 * True for a node that accepts satellites, work and the lead from others. A node without messages between nodes
 * (protocol 0) cannot be told to.
 */
const takesOver = ({ protocol, state }: Seen): boolean => state === "up" && protocol > 0;

/** True when another node can take over the work of a draining node. */
export const hasHeir = (nodes: readonly Seen[], id: string): boolean =>
  nodes.some((node) => node.id !== id && takesOver(node));

/** Refusal to drain a node; `unknown` = there is no such node. */
export interface DrainRefusal {
  readonly reason: "conflict" | "unknown";
  readonly description: string;
}

/** Returns the live node to drain, or why it cannot be drained; undefined = it is draining already. */
export function drainOf(nodes: readonly Seen[], id: string): Seen | DrainRefusal | undefined {
  const node = nodes.find((one) => one.id === id);
  if (!node) return { reason: "unknown", description: `Node not found: ${id}` };
  if (node.state === "draining") return undefined;
  if (node.protocol === 0)
    return { reason: "conflict", description: `This node can only be stopped where it runs: ${id}` };
  if (!hasHeir(nodes, id)) return { reason: "conflict", description: `No other node could take over from ${id}` };
  return node;
}
