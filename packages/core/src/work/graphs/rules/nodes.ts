import { filterMembers } from "../../../lib/json/filter-members.ts";
import { isObject, membersOf } from "../../../lib/json/is-object.ts";
import { textOf } from "../../../lib/text/text-of.ts";
import { withoutLaunchMembers } from "../../../wire/entries/launch-members.ts";

type Members = Readonly<Record<string, unknown>>;

/** A node of a record that may never have been checked: it was imported, or is older than a rule. */
export interface LooseNode {
  readonly id: string;
  readonly type: string;
  readonly data: Members;
}

/** The nodes in the member `workflow` of a record; malformed entries are skipped. */
export function nodesOf(graph: unknown): LooseNode[] {
  const { nodes } = membersOf(graph);
  if (!Array.isArray(nodes)) return [];
  return nodes.filter(isObject).map(({ id, type, data }) => ({
    id: typeof id === "string" ? id : "",
    type: typeof type === "string" ? type : "",
    data: membersOf(data),
  }));
}

/** Start of an error text about a node. */
export const whereOfNode = (id: unknown): string =>
  `Malformed workflow node #${typeof id === "object" ? JSON.stringify(id) : String(id)}`;

/** Nodes on which jobs run. */
export const isJobNode = ({ type }: Pick<LooseNode, "type">): boolean => type === "event" || type === "job";

/** Ids of a list, or of a text in which commas separate them. */
export function idsIn(value: unknown): string[] {
  const list: readonly unknown[] = typeof value === "string" ? value.split(",") : Array.isArray(value) ? value : [];
  return list.filter((id) => typeof id === "string").flatMap((id) => (id.trim() === "" ? [] : [id.trim()]));
}

/**
 * Converts the data of an action node to an action: clients may store the `users` of these nodes as a text
 * (docs/contract/workflows.md#nodes).
 */
export function actionOf(data: Members): Members {
  const { users } = data;
  return typeof users === "string" ? { ...data, users: idsIn(users) } : data;
}

/** Members that only the engine writes, into the graph of a job; callers who write or launch events never set them. */
const OWNED: ReadonlySet<string> = new Set([
  ...["state", "jobs", "aborted", "job", "event", "node", "launcher", "params", "now", "redirect"],
]);

/**
 * A graph in its stored and launched form: without members that the engine owns, and without members that start a process, which
 * only plugins and the configuration may set (docs/contract/workflows.md#graph). Other values are passed through.
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

/** Nodes with their incoming wires but without their position on the screen, to compare the meaning of graphs. */
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

/** Categories in which the nodes of a graph run jobs, sorted and without duplicates. */
export const categoriesOf = (graph: unknown): string[] =>
  unique(nodesOf(graph).flatMap(({ type, data }) => (type === "job" ? idsIn([data["category"]]) : []))).sort();

export const unique = (ids: readonly string[]): string[] => [...new Set(ids)];
