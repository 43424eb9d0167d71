import { type Expressions, templateFault } from "../../../../expressions/index.ts";
import { membersOf } from "../../../../lib/json/is-object.ts";
import { faultOf } from "../../../../lib/message-of.ts";
import { onlyText } from "../../../../lib/text/text-of.ts";
import { type LooseNode, nodesOf } from "../../../graphs/rules/nodes.ts";
import type { Event } from "../../model.ts";
import { paramsOf } from "../triggers/normalise.ts";

type Members = Readonly<Record<string, unknown>>;

/**
 * Warnings about macros in the parameters of a job, and about expressions of a graph, that will fail. They are no reason to
 * refuse the event (docs/contract/expressions.md#where-they-stand).
 */
export function templateWarnings(event: Event, expressions: Expressions): string[] {
  const warnings = warningsOf(event.params, "Event", expressions);
  for (const [index, trigger] of event.triggers.entries())
    warnings.push(...warningsOf(paramsOf(trigger), `Trigger #${index + 1}`, expressions));
  for (const node of event.type === "workflow" ? nodesOf(event["workflow"]) : []) {
    const where = `Workflow node #${node.id}`;
    warnings.push(...warningsOf(membersOf(node.data["params"]), where, expressions));
    warnings.push(...controllerWarnings(node, where, expressions));
  }
  return warnings;
}

/** Members that are expressions, by kind of controller. */
const EXPRESSIONS: Readonly<Record<string, readonly string[]>> = { decision: ["decision"], split: ["split", "filter"] };

function controllerWarnings({ type, data }: LooseNode, where: string, { compile }: Expressions): string[] {
  const kind = type === "controller" ? onlyText(data["controller"]) : "";
  const members = Object.hasOwn(EXPRESSIONS, kind) ? (EXPRESSIONS[kind] ?? []) : [];
  return members.flatMap((member) => {
    const source = onlyText(data[member]);
    const fault = /\S/.test(source) ? faultOf(() => compile(source)) : undefined;
    return fault === undefined ? [] : [`${where}: Failed to compile expression in ${member}: ${fault}`];
  });
}

function warningsOf(params: Members, where: string, expressions: Expressions): string[] {
  return Object.entries(params).flatMap(([id, value]) => {
    const fault = typeof value === "string" && value.includes("{{") ? templateFault(value, expressions) : undefined;
    return fault === undefined ? [] : [`${where}: Failed to compile macro in parameter: ${id}: ${fault}`];
  });
}
