import { filterMembers } from "../../../lib/json/filter-members.ts";
import type { Action, Limit } from "../../../wire/entries/actions-and-limits.ts";
import { OVERRIDE_PREFIX, TARGETS_OVERRIDE } from "../../../wire/entries/override.ts";
import type { Event } from "../../events/model.ts";
import type { EventNode, PluginNode } from "../../graphs/model.ts";
import { actionOf } from "../../graphs/rules/nodes.ts";
import type { LaunchRequest } from "../../jobs/model.ts";
import type { RunFacts } from "../model.ts";
import type { Order } from "./draft.ts";
import type { GraphIndex } from "./graph/graph-index.ts";

type Members = Readonly<Record<string, unknown>>;

/** What a sub-job is made from, apart from its node. */
export interface SubJobParts {
  readonly facts: RunFacts;
  readonly graph: GraphIndex;
  readonly order: Order & { readonly kind: "launch" };
  /** The event of an event node; the workflow's own event for a job node. */
  readonly event: Event;
  /** Node with which a sub-workflow begins. */
  readonly start?: string | undefined;
  readonly workflowData: Members;
}

const filled = <T>(list: readonly T[] | undefined): readonly T[] | undefined =>
  Array.isArray(list) && list.length > 0 ? list : undefined;
const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

/** The launch of a sub-job (docs/contract/workflows.md#event-nodes, docs/contract/workflows.md#job-nodes). */
export function subJobOf(node: EventNode | PluginNode, parts: SubJobParts): LaunchRequest {
  const { facts, order, workflowData } = parts;
  const event = node.type === "event" ? eventOf(node, parts) : adHoc(node, parts);
  const { arrival, targets, until } = order;
  const { data, files } = arrival.input ?? {};
  return {
    event,
    source: "workflow",
    ...(facts.username === undefined ? {} : { username: facts.username }),
    params: { ...node.data.params, ...overridesIn(facts.params, filled(targets) !== undefined) },
    input: {
      ...(data ? { data: { ...data } } : {}),
      ...(files ? { files: files as readonly Record<string, unknown>[] } : {}),
    },
    targets: filled(targets) ?? filled(facts.targets) ?? filled(node.data.targets) ?? event.targets,
    ...(filled(node.data.tags) ? { tags: [...(node.data.tags ?? [])] } : {}),
    ...(arrival.parent ? { parent: arrival.parent } : {}),
    ...(until === undefined ? {} : { until }),
    overrides: { ...facts.inherited, workflowData },
    workflow: linkOf(node, parts),
    activation: order.activation,
  };
}

/**
 * Parameters that override members of a job apply to all jobs of the workflow. Except for targets under a multiplexer, which has
 * already chosen one server per job among them.
 */
const overridesIn = (params: Members, isPlaced: boolean): Members =>
  filterMembers(params, (name) => name.startsWith(OVERRIDE_PREFIX) && !(isPlaced && name === TARGETS_OVERRIDE));

/** The member `workflow` of a sub-job: its link to the workflow, and for a sub-workflow also its graph. */
function linkOf({ id: node }: EventNode | PluginNode, { facts, order, event, start }: SubJobParts): Members {
  const isWorkflow = event.type === "workflow" && start !== undefined;
  const graph = isWorkflow ? { ...(event["workflow"] as object), start } : {};
  const { launcher = null } = order.arrival;
  const link = { event: facts.event, job: facts.job, node, launcher, params: facts.params };
  return { ...graph, ...link, ...(facts.now === undefined ? {} : { now: facts.now }) };
}

function eventOf({ data, id }: EventNode, parts: SubJobParts): Event {
  const { event } = parts;
  return {
    ...event,
    ...(text(data.expression) ? { expression: data.expression } : {}),
    ...(text(data.algo) ? { algo: data.algo } : {}),
    actions: [...event.actions, ...attachedActions(id, parts.graph)],
    limits: [...event.limits, ...attachedLimits(id, parts.graph)],
  } as Event;
}

/** A job without an event; it belongs to the event of the workflow. */
function adHoc({ data, id }: PluginNode, { event, graph, facts }: SubJobParts): Event {
  return {
    id: event.id,
    title: event.title,
    enabled: true,
    type: "adhoc",
    category: text(data.category) ?? facts.category,
    plugin: data.plugin,
    params: {},
    fields: [],
    targets: [...(data.targets ?? [])],
    algo: text(data.algo) ?? "random",
    ...(text(data.expression) ? { expression: data.expression } : {}),
    triggers: [],
    tags: [],
    actions: attachedActions(id, graph),
    limits: attachedLimits(id, graph),
    username: event["username"],
    ...(text(data.label) ? { plabel: data.label } : {}),
    ...(text(data.icon) ? { picon: data.icon } : {}),
    revision: event.revision,
  } as unknown as Event;
}

/** Actions wired to a node run inside its jobs, on the condition of their wire. */
const attachedActions = (id: string, graph: GraphIndex): Action[] =>
  graph.from(id).flatMap(({ id: conn, dest, condition }) => {
    const node = graph.node(dest);
    if (node?.type !== "action" || condition === undefined || condition === "continue") return [];
    return [{ ...actionOf(node.data), id: dest, condition, conn, source: "workflow" } as unknown as Action];
  });

const attachedLimits = (id: string, graph: GraphIndex): Limit[] =>
  graph.from(id).flatMap(({ dest }) => {
    const node = graph.node(dest);
    return node?.type === "limit" ? [{ ...node.data, source: "workflow" } as Limit] : [];
  });
