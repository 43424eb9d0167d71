import type { Expressions } from "../../../expressions/index.ts";
import { argumentWriter } from "./rules/command-line.ts";
import { paramOrder } from "./rules/launch.ts";

type Members = Readonly<Record<string, unknown>>;

/**
 * Expands the macros of every text parameter once, the event's fields first; later parameters see earlier results as
 * `params.<id>` (docs/contract/parameters.md#macros-in-values).
 */
export function expandParams(expressions: Expressions, params: Members, context: Members): Record<string, unknown> {
  const expanded: Record<string, unknown> = { ...params };
  // All parameters share one budget: callers choose their number, and callers of a magic link have no account.
  const spent = { steps: 0, ms: 0 };
  for (const key of paramOrder(params, context["fields"])) {
    const value = params[key];
    if (typeof value === "string" && value.includes("{{"))
      expanded[key] = expressions.compileTemplate(value).expand({ ...context, params: expanded }, { spent });
  }
  return expanded;
}

/** Expands a plugin's command; each inserted value stays one argument. */
export function expandCommand(expressions: Expressions, command: string, context: Members): string {
  if (!command.includes("{{")) return command;
  const template = expressions.compileTemplate(command);
  return template.expand(context, { escape: argumentWriter(command, template.macros) });
}
