import { filterMembers } from "../../../lib/json/filter-members.ts";
import { isObject, membersOf } from "../../../lib/json/is-object.ts";
import { textOf } from "../../../lib/text/text-of.ts";
import { withoutLaunchMembers } from "../../../wire/entries/launch-members.ts";

type Members = Readonly<Record<string, unknown>>;

/** A node as it may stand in a record that was never checked: imported, or from before a rule. */
export interface LooseNode {
  readonly id: string;
  readonly type: string;
  readonly data: Members;
}

/** The nodes in the member `workflow` of a record; entries that are no node are left out. */
export function nodesOf(graph: unknown): LooseNode[] {
  const { nodes } = membersOf(graph);
  if (!Array.isArray(nodes)) return [];
  return nodes.filter(isObject).map(({ id, type, data }) => ({
    id: typeof id === "string" ? id : "",
    type: typeof type === "string" ? type : "",
    data: membersOf(data),
  }));
}

/** Beginning of an error text about a node. */
export const whereOfNode = (id: unknown): string =>
  `Malformed workflow node #${typeof id === "object" ? JSON.stringify(id) : String(id)}`;

/** Nodes on which jobs run. */
export const isJobNode = ({ type }: Pick<LooseNode, "type">): boolean => type === "event" || type === "job";

/** A list of ids, also where it is a text with commas between them. */
export function idsIn(value: unknown): string[] {
  const list: readonly unknown[] = typeof value === "string" ? value.split(",") : Array.isArray(value) ? value : [];
  return list.filter((id) => typeof id === "string").flatMap((id) => (id.trim() === "" ? [] : [id.trim()]));
}

/**
 * The data of an action node as an action has it: clients store the `users` of these nodes as a text too
 * (docs/contract/workflows.md#nodes).
 */
export function actionOf(data: Members): Members {
  const { users } = data;
  return typeof users === "string" ? { ...data, users: idsIn(users) } : data;
}

/** Members that the engine writes into the graph of a job, and callers who write or launch events never do. */
const OWNED: ReadonlySet<string> = new Set([
  ...["state", "jobs", "aborted", "job", "event", "node", "launcher", "params", "now", "redirect"],
]);

/**
 * A graph as it is stored and launched: without the engine's own members, and without members that start a process,
 * which only plugins and the configuration set (docs/contract/workflows.md#graph). Anything but a graph stays as it is.
 */
export function storeGraph(graph: unknown): unknown {
  if (!isObject(graph)) return graph;
  const own = withoutState(graph);
  const { nodes } = own;
  return Array.isArray(nodes) ? { ...own, nodes: nodes.map(storeNode) } : own;
}

export const withoutState = (graph: Members): Members => filterMembers(graph, (member) => !OWNED.has(member));

function storeNode(node: unknown): unknown {
  const { data } = membersOf(node);
  return isObject(data) ? { ...(node as Members), data: withoutLaunchMembers(data) } : node;
}

/** Nodes with the wires that lead to them, without their place on the screen, to compare graphs by their meaning. */
export function wiredNodes(graph: Members): readonly (LooseNode & { readonly wires: readonly string[] })[] {
  const { connections } = graph;
  const wires = new Map<unknown, string[]>();
  for (const { source, dest, condition } of Array.isArray(connections) ? connections.filter(isObject) : []) {
    const known = wires.get(dest);
    const wire = [source, condition].map((end) => (end === undefined ? "" : textOf(end))).join(" ");
    if (known) known.push(wire);
    else wires.set(dest, [wire]);
  }
  return nodesOf(graph).map((node) => ({ ...node, wires: wires.get(node.id)?.sort() ?? [] }));
}

/** Categories in which the nodes of a graph run jobs, each once and sorted. */
export const categoriesOf = (graph: unknown): string[] =>
  unique(nodesOf(graph).flatMap(({ type, data }) => (type === "job" ? idsIn([data["category"]]) : []))).sort();

export const unique = (ids: readonly string[]): string[] => [...new Set(ids)];
