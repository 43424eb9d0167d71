import type { CommandContext } from "./context.ts";

/**
 * Runs around commands, inside their transaction. A `before` hook may change the input by returning another one and
 * vetoes by throwing; an `after` hook sees the output and vetoes by throwing too: everything is rolled back.
 */
export interface OperationHook {
  /** Wire name or a pattern with `*`: "create_tag", "create_*". */
  readonly operation: string;
  before?(
    input: Readonly<Record<string, unknown>>,
    context: CommandContext,
    operation: string,
  ): Promise<unknown> | unknown;
  after?(output: unknown, context: CommandContext, operation: string): Promise<void> | void;
}

/** The hooks that apply to an operation, in the order of registration. */
export function hooksFor(hooks: readonly OperationHook[], operation: string): readonly OperationHook[] {
  return hooks.filter((hook) => matches(hook.operation, operation));
}

function matches(pattern: string, name: string): boolean {
  const [head = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return head === name;
  const tail = rest.at(-1) ?? "";
  return rest.length === 1 && name.length >= head.length + tail.length && name.startsWith(head) && name.endsWith(tail);
}
