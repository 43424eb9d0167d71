import { isObject } from "../../../lib/json/is-object.ts";
import { isBlank } from "../../../lib/text/text-of.ts";
import { isReservedWord } from "../../../wire/fields/reserved.ts";
import { NODE_TYPES } from "../model.ts";
import { MAX_CONNECTIONS, MAX_NODES } from "./bounds.ts";
import { whereOfNode } from "./nodes.ts";

type Members = Readonly<Record<string, unknown>>;

/**
 * The wire text of the first fault of a graph and its nodes that can be found without stored data; undefined when there is none
 * (docs/contract/workflows.md#faults).
 */
export function checkGraphShape(graph: unknown): string | undefined {
  if (graph === undefined || graph === null) return "Event has no workflow object specified.";
  if (!isObject(graph)) return "Event has invalid workflow object specified.";
  return (
    checkList(graph["nodes"], "nodes", MAX_NODES) ??
    checkList(graph["connections"], "connections", MAX_CONNECTIONS) ??
    checkStart(graph["start"]) ??
    checkNodes(graph["nodes"] as readonly unknown[])
  );
}

function checkList(list: unknown, name: string, most: number): string | undefined {
  if (isBlank(list)) return `Event has no workflow ${name} specified.`;
  if (!Array.isArray(list)) return `Event has invalid workflow ${name} specified (must be array).`;
  return list.length > most ? `Event has too many workflow ${name} specified (more than ${most}).` : undefined;
}

/** A launch may name the node with which it begins; a test run may name any node. */
const checkStart = (start: unknown): string | undefined =>
  isBlank(start) || typeof start === "string" ? undefined : "Event has invalid workflow start specified.";

function checkNodes(nodes: readonly unknown[]): string | undefined {
  const ids = new Set<string>();
  for (const [index, node] of nodes.entries()) {
    if (!isObject(node)) return `Workflow node #${index + 1} is not an object`;
    const { id } = node;
    if (isBlank(id)) return `Workflow node #${index + 1} has no ID (id) property`;
    const fault = checkId(id, ids, "Node ID") ?? checkNode(node);
    if (fault !== undefined) return `${whereOfNode(id)}: ${fault}`;
    ids.add(id as string);
  }
  return undefined;
}

function checkId(id: unknown, ids: ReadonlySet<string>, name: string, fullName = name): string | undefined {
  if (typeof id !== "string") return `${name} is not a string`;
  if (!/^\w+$/.test(id)) return `${name} is not alphanumeric`;
  if (isReservedWord(id)) return `Invalid ID parameter: ${id}`;
  return ids.has(id) ? `Duplicate ${fullName}` : undefined;
}

const TYPES: ReadonlySet<unknown> = new Set(NODE_TYPES);

function checkNode({ type, x, y, data }: Members): string | undefined {
  if (isBlank(type)) return "Node is missing a type";
  if (typeof type !== "string") return "Node type is not a string";
  if (!TYPES.has(type)) return "Node type is invalid";
  if (!Number.isFinite(x)) return "Node X coordinate is invalid";
  if (!Number.isFinite(y)) return "Node Y coordinate is invalid";
  if (data === undefined) return undefined;
  return isObject(data) ? checkTexts(data) : "Node data is not an object";
}

/** Members that clients display unescaped. */
const TEXTS: readonly (readonly [string, RegExp])[] = [
  ["title", /^[^<>]*$/],
  ["label", /^[^<>]*$/],
  ["icon", /^[\w-]*$/],
];

function checkTexts(data: Members): string | undefined {
  for (const [member, pattern] of TEXTS) {
    const value = data[member];
    if (value === undefined || value === null) continue;
    if (typeof value !== "string") return `Node data.${member} is not a string`;
    if (!pattern.test(value)) return `Node data.${member} contains illegal characters`;
  }
  return undefined;
}

/**
 * Returns a checker that is called with each connection in turn: the wire text of its fault, or undefined. The nodes of the graph
 * must be well-formed.
 */
export function connectionChecker(graph: Members): (connection: unknown, index: number) => string | undefined {
  const nodes = new Set((graph["nodes"] as readonly Members[]).map(({ id }) => id));
  const ids = new Set<string>();
  const pairs = new Set<string>();
  return (connection, index) => {
    if (!isObject(connection)) return `Workflow connection #${index + 1} is not an object`;
    const { id, source, dest } = connection;
    if (isBlank(id)) return `Workflow connection #${index + 1} has no ID (id) property`;
    const fault = checkId(id, ids, "ID", "connection ID") ?? checkEnds(connection, nodes, pairs);
    if (fault !== undefined) return `${whereOfConnection(id)}: ${fault}`;
    ids.add(id as string);
    pairs.add(pairOf(source, dest));
    return undefined;
  };
}

const whereOfConnection = (id: unknown): string =>
  `Malformed workflow connection #${typeof id === "object" ? JSON.stringify(id) : String(id)}`;

/** Unambiguous, because ids of nodes contain no blanks. */
const pairOf = (source: unknown, dest: unknown): string => `${String(source)} ${String(dest)}`;

function checkEnds(
  { source, dest, condition }: Members,
  nodes: ReadonlySet<unknown>,
  pairs: ReadonlySet<string>,
): string | undefined {
  if (!nodes.has(source)) return "Connection source node is invalid";
  if (!nodes.has(dest)) return "Connection destination node is invalid";
  if (pairs.has(pairOf(source, dest))) return "Duplicate source/destination node pair";
  return isBlank(condition) || typeof condition === "string" ? undefined : "Condition is not a string";
}
