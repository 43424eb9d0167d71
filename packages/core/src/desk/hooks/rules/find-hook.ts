import type { SystemHook, SystemHookParts } from "../config.ts";

export type HookPart = keyof SystemHookParts;

/**
 * The hook for an action: the one with the action's name, otherwise the one for all actions
 * (docs/contract/actions.md#system-hooks).
 */
export function findHook(hooks: Readonly<Record<string, SystemHook>>, action: string): SystemHookParts | undefined {
  const key = Object.hasOwn(hooks, action) ? action : "*";
  const hook = Object.hasOwn(hooks, key) ? hooks[key] : undefined;
  if (typeof hook !== "string") return hook;
  return /^\w+$/.test(hook) ? { web_hook: hook } : { url: hook };
}

/** Names of the parts that a hook has. */
export const partsOf = (hook: SystemHookParts): HookPart[] =>
  Object.entries(hook).flatMap(([part, value]) => (value === undefined ? [] : [part as HookPart]));
