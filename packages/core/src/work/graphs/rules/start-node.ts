import { isObject } from "../../../lib/json/is-object.ts";
import { withoutState } from "./nodes.ts";

type Members = Readonly<Record<string, unknown>>;

/** A trigger, as far as the start of a workflow goes. */
interface StartTrigger {
  readonly id?: unknown;
  readonly type: string;
  readonly enabled?: unknown;
}

/** Launches by the trigger that fired; all others begin at the manual one. */
const BY_TRIGGER: ReadonlySet<string> = new Set(["scheduler", "plugin", "startup", "magic"]);
/** Launches whose caller may name a node. */
const BY_CALLER: ReadonlySet<string> = new Set(["user", "key"]);

/**
 * The node that a run of a workflow begins with (docs/contract/workflows.md#start); undefined when nothing says which.
 * `source` is the job's.
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
  /** Graph in place of the event's. */
  readonly graph?: unknown;
}

/** The member `workflow` of one launch, over the event's own: the graph with its start. Nothing for other events. */
export function workflowOf(event: Launched, { source, fired, graph = event.workflow }: Launch): { workflow?: Members } {
  if (event.type !== "workflow" || !isObject(graph)) return {};
  const { start: _stored, ...rest } = withoutState(graph);
  const start = startNodeOf(graph, event.triggers, source, fired);
  return { workflow: { ...rest, ...(start === undefined ? {} : { start }) } };
}

/** The graph that a call of a run posts: a whole one, or members in place of stored ones, such as a start alone. */
export const postedGraph = (stored: unknown, posted: unknown): unknown =>
  isObject(posted) && isObject(stored) && posted["nodes"] === undefined ? { ...stored, ...posted } : posted;

/** Whether a run brings members of the graph with it; a start alone chooses among stored nodes. */
export const changesGraph = (posted: unknown): boolean =>
  posted !== undefined && !(isObject(posted) && Object.keys(posted).every((member) => member === "start"));
