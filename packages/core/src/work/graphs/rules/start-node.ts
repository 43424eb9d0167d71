import { isObject } from "../../../lib/json/is-object.ts";
import { withoutState } from "./nodes.ts";

type Members = Readonly<Record<string, unknown>>;

/** The members of a trigger that matter for the start of a workflow. */
interface StartTrigger {
  readonly id?: unknown;
  readonly type: string;
  readonly enabled?: unknown;
}

/** Sources of launches that begin at the trigger that fired; all others begin at the manual trigger. */
const BY_TRIGGER: ReadonlySet<string> = new Set(["scheduler", "plugin", "startup", "magic"]);
/** Sources of launches whose caller may name a start node. */
const BY_CALLER: ReadonlySet<string> = new Set(["user", "key"]);

/**
 * The node with which a run of a workflow begins (docs/contract/workflows.md#start); undefined when it cannot be determined.
 * `source` is the source of the job.
 */
export function startNodeOf(
  graph: unknown,
  triggers: readonly StartTrigger[],
  source: string,
  firedTrigger?: StartTrigger,
): string | undefined {
  if (BY_TRIGGER.has(source)) return idOf(firedTrigger);
  const named = BY_CALLER.has(source) && isObject(graph) ? graph["start"] : undefined;
  if (typeof named === "string" && named !== "") return named;
  return idOf(triggers.find(({ enabled, type }) => enabled && type === "manual"));
}

const idOf = (trigger: StartTrigger | undefined): string | undefined =>
  typeof trigger?.id === "string" && trigger.id !== "" ? trigger.id : undefined;

interface Launched {
  readonly type?: string | null | undefined;
  readonly triggers: readonly StartTrigger[];
  readonly workflow?: unknown;
}

interface Launch {
  /** Source of the job. */
  readonly source: string;
  readonly fired?: StartTrigger | undefined;
  /** Graph that replaces the event's. */
  readonly graph?: unknown;
}

/** The member `workflow` of one launch, which replaces the event's: the graph with its start. Empty for other events. */
export function workflowOf(event: Launched, { source, fired, graph = event.workflow }: Launch): { workflow?: Members } {
  if (event.type !== "workflow" || !isObject(graph)) return {};
  const { start: _stored, ...rest } = withoutState(graph);
  const start = startNodeOf(graph, event.triggers, source, fired);
  return { workflow: { ...rest, ...(start === undefined ? {} : { start }) } };
}

/**
 * The graph of a run whose caller posted a graph: either a whole one, or members that replace stored ones, such as only a start.
 */
export const postedGraph = (stored: unknown, posted: unknown): unknown =>
  isObject(posted) && isObject(stored) && posted["nodes"] === undefined ? { ...stored, ...posted } : posted;

/** Whether a run changes the graph; a posted start alone only chooses among stored nodes. */
export const changesGraph = (posted: unknown): boolean =>
  posted !== undefined && !(isObject(posted) && Object.keys(posted).every((member) => member === "start"));
