import { forceLocked, lockedFault } from "../../../directory/plugins/rules/parameters/fields.ts";
import { byId } from "../../../lib/by-id.ts";
import { isObject, membersOf } from "../../../lib/json/is-object.ts";
import { textOf } from "../../../lib/text/text-of.ts";
import { type LooseNode, nodesOf, whereOfNode } from "./nodes.ts";

type Members = Readonly<Record<string, unknown>>;

/** The definitions that determine which parameters are locked. */
export interface LockFacts {
  readonly event: (
    id: string,
  ) => { readonly plugin: string; readonly fields: readonly Members[]; readonly params: Members } | undefined;
  readonly plugin: (id: string) => { readonly params?: readonly Members[] | null | undefined } | undefined;
}

export interface LockedGraph {
  readonly graph: unknown;
  /** Sentences about members that were sent but are not used. */
  readonly warnings: readonly string[];
  /** Why a caller who is not an administrator cannot save the graph. */
  readonly fault: string | undefined;
}

/**
 * A graph sent by a caller who is not an administrator, in which locked parameters of nodes keep their stored or preset value
 * (docs/contract/workflows.md#locked-parameters). Yields after each node, because there may be many.
 */
export function* keepLockedNodes(
  sent: unknown,
  stored: unknown,
  facts: LockFacts,
): Generator<undefined, LockedGraph, undefined> {
  const nodes = membersOf(sent)["nodes"];
  if (!isObject(sent) || !Array.isArray(nodes)) return { graph: sent, warnings: [], fault: undefined };
  const before = byId(nodesOf(stored));
  const warnings: string[] = [];
  const kept: unknown[] = [];
  let fault: string | undefined;
  for (const node of nodes as readonly unknown[]) {
    const [loose] = nodesOf({ nodes: [node] });
    const locked = loose && lockNode(loose, before.get(loose.id), facts);
    kept.push(locked ? { ...(node as Members), data: { ...loose.data, params: locked.params } } : node);
    if (locked) warnings.push(...locked.ignored.map((id) => ignoredText(loose.id, id)));
    if (locked?.fault !== undefined) fault ??= `${whereOfNode(loose?.id)}: ${locked.fault}`;
    yield;
  }
  return { graph: { ...sent, nodes: kept }, warnings, fault };
}

const ignoredText = (node: string, id: string): string =>
  `Workflow node #${node}: Parameter '${id}' is locked: the value that was sent is not used.`;

interface LockedNode {
  readonly params: Members;
  /** Parameters whose sent value is ignored. */
  readonly ignored: readonly string[];
  readonly fault?: string | undefined;
}

/** Undefined when nothing is locked. */
function lockNode(node: LooseNode, before: LooseNode | undefined, facts: LockFacts): LockedNode | undefined {
  if (node.type === "job") return lockPluginNode(node, before, facts);
  if (node.type === "action") return lockActionNode(node, before, facts);
  return node.type === "event" ? lockEventNode(node, before, facts) : undefined;
}

const isLocked = ({ locked }: Members): boolean => Boolean(locked);
const idsOf = (definitions: readonly Members[]): string[] => definitions.map(({ id }) => String(id));

/** The parameters of the stored node if it still runs the same event or plugin. */
const sameAs = (node: LooseNode, before: LooseNode | undefined, member: "event" | "plugin"): Members | undefined =>
  before?.type === node.type && before.data[member] === node.data[member]
    ? membersOf(before.data["params"])
    : undefined;

function lockPluginNode(node: LooseNode, before: LooseNode | undefined, facts: LockFacts): LockedNode | undefined {
  const definitions = facts.plugin(textOf(node.data["plugin"]))?.params?.filter(isLocked) ?? [];
  if (definitions.length === 0) return undefined;
  const sent = membersOf(node.data["params"]);
  const params = forceLocked(definitions, sent, sameAs(node, before, "plugin"));
  return { params, ignored: ignoredOf(idsOf(definitions), sent, params), fault: lockedFault(definitions, params) };
}

/**
 * Without a stored value of the node, the event's value applies: a sent value is removed, or replaced by the default of the
 * field.
 */
function lockEventNode(node: LooseNode, before: LooseNode | undefined, facts: LockFacts): LockedNode | undefined {
  const event = facts.event(textOf(node.data["event"]));
  if (!event) return undefined;
  const ofPlugin = facts.plugin(event.plugin)?.params?.filter(isLocked) ?? [];
  const ofEvent = event.fields.filter(isLocked);
  if (ofPlugin.length + ofEvent.length === 0) return undefined;
  const sent = membersOf(node.data["params"]);
  const stored = sameAs(node, before, "event") ?? {};
  const params: Record<string, unknown> = forceLocked(ofEvent, sent, stored);
  for (const id of idsOf([...ofPlugin, ...ofEvent]))
    if (Object.hasOwn(stored, id)) params[id] = stored[id];
    else if (Object.hasOwn(event.params, id) || !idsOf(ofEvent).includes(id)) delete params[id];
  return { params, ignored: ignoredOf(idsOf([...ofPlugin, ...ofEvent]), sent, params) };
}

/** Without a stored value of the node, the value of the event or plugin that the action starts applies. */
function lockActionNode(node: LooseNode, before: LooseNode | undefined, facts: LockFacts): LockedNode | undefined {
  const { type, event_id: event, plugin_id: plugin } = node.data;
  const target = type === "run_event" ? facts.event(textOf(event)) : undefined;
  const fields = type === "plugin" ? facts.plugin(textOf(plugin))?.params : target?.fields;
  const had = before?.data ?? {};
  const isAlike = type === had["type"] && event === had["event_id"] && plugin === had["plugin_id"];
  const stored = isAlike ? membersOf(had["params"]) : undefined;
  const sent = membersOf(node.data["params"]);
  const isNamed = ({ id }: Members): boolean =>
    [sent, stored ?? {}].some((values) => Object.hasOwn(values, String(id)));
  const definitions = fields?.filter((field) => isLocked(field) && isNamed(field)) ?? [];
  if (definitions.length === 0) return undefined;
  const params = forceLocked(definitions, sent, { ...target?.params, ...stored });
  return { params, ignored: ignoredOf(idsOf(definitions), sent, params) };
}

const ignoredOf = (ids: readonly string[], sent: Members, kept: Members): string[] =>
  ids.filter((id) => Object.hasOwn(sent, id) && JSON.stringify(sent[id]) !== JSON.stringify(kept[id]));
