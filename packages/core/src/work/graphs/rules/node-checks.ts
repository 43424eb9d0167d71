import { isReservedOverride, type ValueFault, valueText } from "../../../directory/plugins/rules/parameters/fields.ts";
import type { ValueCheck } from "../../../directory/plugins/rules/parameters/value-checks.ts";
import { isObject, membersOf } from "../../../lib/json/is-object.ts";
import { isBlank, onlyText, textOf } from "../../../lib/text/text-of.ts";
import { type ActionShapeOptions, actionFault } from "../../../wire/entries/action-shape.ts";
import { limitFault } from "../../../wire/entries/limit-shape.ts";
import { actionOf, isJobNode, type LooseNode, whereOfNode } from "./nodes.ts";

type Members = Readonly<Record<string, unknown>>;

/** The stored records that a graph names. */
export interface GraphFacts {
  /** Id of the workflow. */
  readonly own: string;
  readonly event: (id: string) => { readonly fields: readonly Members[]; readonly params: Members } | undefined;
  readonly plugin: (
    id: string,
  ) => { readonly type: string; readonly params?: readonly Members[] | null | undefined } | undefined;
  readonly hasCategory: (id: string) => boolean;
  readonly hasTag: (id: string) => boolean;
  /** Checks values as they are; `filledFault` first fills in the defaults of the definitions. */
  readonly sentFault: ValueCheck;
  readonly filledFault: ValueCheck;
  /** The fault of an expression over servers that does not compile; undefined = it compiles. */
  readonly expressionFault: (source: string) => string | undefined;
  readonly actions: ActionShapeOptions;
}

const NONE: readonly Members[] = [];
const NO_VALUES: Members = {};

/** Placeholder for the condition, which is a member of the wire. */
const CONDITION = "complete";

/**
 * The wire text of the first fault in a well-formed node, checked together with the records that it names
 * (docs/contract/workflows.md#faults).
 */
export function checkNodeData(node: LooseNode, facts: GraphFacts): string | undefined {
  const { data, type } = node;
  const where = whereOfNode(node.id);
  if (isJobNode(node)) {
    const fault = type === "event" ? checkEventNode(data, facts) : checkPluginNode(data, facts);
    return prefixed(where, checkParams(data) ?? fault ?? checkPlace(data, facts)) ?? checkOverrides(where, data);
  }
  if (type === "limit") return faultOf(where, limitFault({ ...data }));
  if (type !== "action") return undefined;
  return checkOverrides(where, data) ?? checkActionNode(where, actionOf(data), facts);
}

const prefixed = (where: string, fault: string | undefined): string | undefined => fault && `${where}: ${fault}`;
/** Faults of limits and actions already begin with a separator. */
const faultOf = (where: string, fault: string | undefined): string | undefined => fault && `${where}${fault}`;

const checkParams = ({ params }: Members): string | undefined =>
  isBlank(params) || isObject(params) ? undefined : "Node data.params is not an object";

function checkEventNode(data: Members, { event: find, own, sentFault }: GraphFacts): string | undefined {
  const id = onlyText(data["event"]);
  if (id !== "" && id === own) return "Workflow cannot run itself";
  const event = find(id);
  if (!event) return `Unknown Event ID: ${id}`;
  // Values that the node lacks come from the event.
  return describe("event parameter", sentFault(event.fields, membersOf(event.params), membersOf(data["params"])));
}

function checkPluginNode(data: Members, { plugin: find, hasCategory, sentFault }: GraphFacts): string | undefined {
  const id = onlyText(data["plugin"]);
  const plugin = find(id);
  if (!plugin) return `Unknown Plugin ID: ${id}`;
  const fault = sentFault(plugin.params ?? NONE, NO_VALUES, membersOf(data["params"]));
  if (fault) return describe("plugin parameter", fault);
  const { category } = data;
  return isBlank(category) || hasCategory(onlyText(category)) ? undefined : `Unknown Category ID: ${textOf(category)}`;
}

function checkActionNode(where: string, action: Members, facts: GraphFacts): string | undefined {
  const fault = actionFault({ ...action, condition: CONDITION }, facts.actions);
  if (fault !== undefined) return faultOf(where, fault);
  const { type, plugin_id: id } = action;
  if (type === "run_event") return prefixed(where, checkRun(action, facts));
  if (type !== "plugin") return undefined;
  const plugin = facts.plugin(onlyText(id));
  if (plugin?.type !== "action") return `${where}: Unknown Action Plugin ID: ${onlyText(id)}`;
  const bad = facts.sentFault(plugin.params ?? NONE, NO_VALUES, membersOf(action["params"]));
  return prefixed(where, describe("action plugin parameter", bad));
}

/** Skips the workflow itself: it is not stored yet, or stored in its old form. */
function checkRun({ event_id, params }: Members, { event: find, own, filledFault }: GraphFacts): string | undefined {
  const id = onlyText(event_id);
  if (id === own) return undefined;
  const event = find(id);
  if (!event) return `Event not found: ${id}`;
  const fault = filledFault(event.fields, membersOf(event.params), membersOf(params));
  return fault && valueText(fault);
}

function describe(noun: string, fault: ValueFault | undefined): string | undefined {
  if (!fault) return undefined;
  const { id, reason, range } = fault;
  if (reason === "required") return `Missing required ${noun} '${id}'.`;
  return reason === "range" ? `Invalid ${noun} value '${id}' (${range}).` : `Invalid ${noun} '${id}'.`;
}

/** Checks the members that override the event's. */
function checkPlace(data: Members, facts: GraphFacts): string | undefined {
  const { algo, expression, replay } = data;
  const fault = checkIds("target", data["targets"], "targets") ?? checkIds("tag", data["tags"], "tags");
  if (fault !== undefined) return fault;
  const unknown = ((data["tags"] ?? []) as readonly string[]).find((id) => !facts.hasTag(id));
  if (unknown !== undefined) return `Unknown tag: ${unknown}`;
  if (!isBlank(algo) && !(typeof algo === "string" && /^[\w:]+$/.test(algo))) return "Node data.algo is invalid";
  if (!isBlank(replay) && !(typeof replay === "string" && /^\w+$/.test(replay))) return "Node data.replay is invalid";
  if (isBlank(expression)) return undefined;
  return typeof expression === "string" ? facts.expressionFault(expression) : "Node data.expression is not a string";
}

function checkIds(noun: string, list: unknown, member: string): string | undefined {
  if (list === undefined || list === null) return undefined;
  if (!Array.isArray(list)) return `Node data.${member} is not an array`;
  const bad = (list as readonly unknown[]).findIndex((id) => typeof id !== "string" || !/^\w+$/.test(id));
  return bad === -1 ? undefined : `Malformed ${noun}: ${textOf(list[bad])}`;
}

function checkOverrides(where: string, { params }: Members): string | undefined {
  const reserved = Object.keys(membersOf(params)).find(isReservedOverride);
  return reserved && `${where} params: Invalid parameter ID: ${reserved} (reserved)`;
}
