import { messageOf } from "../../lib/message-of.ts";
import type { Logger } from "../../ports/logger.ts";
import type { CommandContext, OperationContext } from "../calls/context.ts";
import { StorageError } from "../errors/errors.ts";
import type { Unit } from "../transactions/unit-of-work.ts";

/**
 * Runs around commands, inside their transaction. A `before` hook may replace the input by returning another one; an `after` hook
 * sees the output. Both veto by throwing, which rolls everything back.
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

/** The hooks that apply to an operation, in order of registration. */
export function hooksFor(hooks: readonly OperationHook[], operation: string): readonly OperationHook[] {
  return hooks.filter((hook) => matches(hook.operation, operation));
}

function matches(pattern: string, name: string): boolean {
  const [head = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return head === name;
  const tail = rest.at(-1) ?? "";
  return rest.length === 1 && name.length >= head.length + tail.length && name.startsWith(head) && name.endsWith(tail);
}

/** A command, as its hooks need it. */
export interface HookedCommand<Context> {
  /** Wire name. */
  readonly name: string;
  readonly context: Context;
  /** Validates an input that a hook has changed. */
  parse(changed: unknown): unknown;
}

/** Returns the input as the hooks leave it. */
export async function runBefore(
  hooks: readonly OperationHook[],
  { name, context, parse }: HookedCommand<CommandContext>,
  input: unknown,
): Promise<unknown> {
  let current = input;
  for (const hook of hooks) {
    const changed = await hook.before?.(current as Record<string, unknown>, context, name);
    if (changed !== undefined) current = parse(changed);
  }
  return current;
}

/** A change that the engine makes by itself, for which people would call a command. */
export interface OwnChange {
  /** Wire name of the command. */
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Makes the change with the input, which a hook may have changed, and returns the command's answer. */
  change(input: Readonly<Record<string, unknown>>): Promise<unknown>;
}

/**
 * Runs a change by the engine itself inside the hooks of the corresponding command. Throws `HookRefusal` when a `before` hook
 * vetoes it. An `after` hook that throws is only logged: the change belongs to a transaction whose other parts must be kept.
 */
export type Hooked = (unit: Unit, change: OwnChange) => Promise<void>;

/** A `before` hook threw; nothing was changed. */
export class HookRefusal extends Error {}

interface Deps {
  readonly hooks: readonly OperationHook[];
  readonly log: Logger;
  /** The command of this name, called by the engine. */
  command(operation: string): HookedCommand<OperationContext>;
}

export function createHooked({ hooks: all, log, command }: Deps): Hooked {
  return async ({ tx, emit, audit }, { operation, input, change }) => {
    const hooks = hooksFor(all, operation);
    const { context: base, ...called } = command(operation);
    const context = { ...base, tx, emit, audit, prepared: undefined };
    const changed = await runBefore(hooks, { ...called, context }, input).catch(refuse);
    const output = await change(changed as OwnChange["input"]);
    try {
      for (const hook of hooks) await hook.after?.(output, context, operation);
    } catch (error) {
      if (error instanceof StorageError) throw error;
      log.error({ operation, error }, "A hook failed after a change that it cannot take back");
    }
  };
}

function refuse(error: unknown): never {
  if (error instanceof StorageError) throw error;
  throw new HookRefusal(messageOf(error), { cause: error });
}
