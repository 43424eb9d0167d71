import { filterMembers } from "../../../lib/json/filter-members.ts";
import type { Action } from "../../../wire/entries/actions-and-limits.ts";

/** One action, with its place in the list of its job or alert. */
export interface PlacedAction {
  readonly index: number;
  readonly action: Action;
}

/** The enabled actions of each condition in turn, in the order of the list. */
export function collectActions(actions: readonly Action[], conditions: readonly string[]): PlacedAction[] {
  return conditions.flatMap((condition) =>
    actions.flatMap((action, index) => (action.enabled && action.condition === condition ? [{ index, action }] : [])),
  );
}

/**
 * The first action per type and target of a phase stays (docs/contract/categories.md#duplicates-among-actions).
 * `targetOf` names the target within its type. Pushed actions that run at once belong to no phase: a job may report to
 * the same place again and again.
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

/** An action that ran carries its result; a resumed phase leaves it alone. */
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
