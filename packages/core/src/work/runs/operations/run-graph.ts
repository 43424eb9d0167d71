import { definitionsView } from "../../../kernel/transactions/unit-scope.ts";
import type { Event } from "../../events/model.ts";
import { eventRecords } from "../../events/records.ts";
import { storeGraph } from "../../graphs/rules/nodes.ts";
import { postedGraph, workflowOf } from "../../graphs/rules/start-node.ts";
import type { PlanContext } from "./run-plan.ts";

/**
 * The member `workflow` of a run that a caller asks for, with its start: the stored graph, or a posted one with the stored locked
 * parameters (docs/contract/workflows.md#start). Empty for other events. Faults of a posted graph are found later, when the
 * merged event is checked.
 */
export async function planGraph(
  event: Event,
  posted: unknown,
  { actor, services, tx }: PlanContext,
): Promise<{ workflow?: unknown }> {
  if (event.type !== "workflow") return {};
  const context = { actor, tx: definitionsView(tx) };
  await services.graphs.requireAccess(context, event);
  const source = actor.kind === "key" ? "key" : "user";
  if (posted === undefined) return workflowOf(event, { source });
  const { id } = event;
  const sent = storeGraph(postedGraph(event["workflow"], posted));
  await services.graphs.requireAccess(context, { id, type: event.type, workflow: sent });
  await services.references.check(context, eventRecords, { id, workflow: sent });
  const { graph } = await services.graphs.keepLocked(context, sent, event);
  return { workflow: graph, ...workflowOf(event, { source, graph }) };
}
