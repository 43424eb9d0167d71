import { filterMembers } from "../../../lib/json/filter-members.ts";
import type { Action } from "../../../wire/entries/actions-and-limits.ts";

/** One action with its index in the action list of its job or alert. */
export interface PlacedAction {
  readonly index: number;
  readonly action: Action;
}

/** Returns the enabled actions grouped by condition; within a condition they keep the order of the list. */
export function collectActions(actions: readonly Action[], conditions: readonly string[]): PlacedAction[] {
  return conditions.flatMap((condition) =>
    actions.flatMap((action, index) => (action.enabled && action.condition === condition ? [{ index, action }] : [])),
  );
}

/**
 * Keeps only the first action per type and target of a phase (docs/contract/categories.md#duplicates-among-actions).
 * `targetOf` names the target within its type. Pushed actions that run at once (`instant`) belong to no phase, so they
 * are never deduplicated: a job may report to the same place again and again.
 */
export function dedupeActions(actions: readonly PlacedAction[], targetOf: (action: Action) => string): PlacedAction[] {
  const seen = new Set<string>();
  return actions.filter(({ action }) => {
    if (action.condition === "instant") return true;
    const key = `${action.type}-${targetOf(action)}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** True when the action has run: it then carries its result, and a resumed phase skips it. */
export const hasResult = (action: Action): boolean => action["code"] !== undefined;

const RESULT_MEMBERS: readonly string[] = [
  "date",
  "code",
  "when",
  "active",
  "description",
  "details",
  "msg",
  "elapsed_ms",
  "loc",
  "notice",
];

export function withoutResult<T extends object>(entry: T): T {
  return filterMembers(entry as Record<string, unknown>, (member) => !RESULT_MEMBERS.includes(member)) as T;
}
