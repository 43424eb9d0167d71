import { type Expressions, templateFault } from "../../../../expressions/index.ts";
import { membersOf } from "../../../../lib/json/is-object.ts";
import { nodesOf } from "../../../graphs/rules/nodes.ts";
import type { Event } from "../../model.ts";
import { paramsOf } from "../triggers/normalise.ts";

type Members = Readonly<Record<string, unknown>>;

/**
 * Warnings about templates that will give errors in the parameters of a job: no reason to refuse the event.
 */
export function templateWarnings(event: Event, expressions: Expressions): string[] {
  const warnings = warningsOf(event.params, "Event", expressions);
  for (const [index, trigger] of event.triggers.entries())
    warnings.push(...warningsOf(paramsOf(trigger), `Trigger #${index + 1}`, expressions));
  for (const { id, data } of event.type === "workflow" ? nodesOf(event["workflow"]) : [])
    warnings.push(...warningsOf(membersOf(data["params"]), `Workflow node #${id}`, expressions));
  return warnings;
}

function warningsOf(params: Members, where: string, expressions: Expressions): string[] {
  return Object.entries(params).flatMap(([id, value]) => {
    const fault = typeof value === "string" && value.includes("{{") ? templateFault(value, expressions) : undefined;
    return fault === undefined ? [] : [`${where}: Failed to compile macro in parameter: ${id}: ${fault}`];
  });
}
