import { copyData } from "../../../lib/copy-data.ts";
import { filterMembers } from "../../../lib/filter-members.ts";
import type { Action } from "../../../wire/actions-and-limits.ts";

/** A list of actions and where it comes from; absent = the event itself. */
export interface ActionLayer {
  readonly source?: string;
  readonly actions: readonly Action[];
}

/** One action of a job, with its place in the job's list. */
export interface PlacedAction {
  readonly index: number;
  readonly action: Action;
}

/**
 * The actions of a job: all of the event's own, then the enabled ones of category and configuration
 * (docs/contract/categories.md#merging). Duplicates stay, because the same target may stand under different conditions.
 * Results that a definition or a caller brought along would keep the action from running; only a retry hands on what
 * its start actions did.
 */
export function mergeActions(layers: readonly ActionLayer[]): Action[] {
  return layers.flatMap(({ source, actions }) =>
    source === undefined
      ? actions.map((action) => copyData(isDoneAtStart(action) ? action : withoutResult(action)))
      : actions
          .filter(({ enabled, condition }) => enabled && condition)
          .map((action) => ({ ...copyData(withoutResult(action)), source })),
  );
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
];

export function withoutResult<T extends object>(entry: T): T {
  return filterMembers(entry as Record<string, unknown>, (member) => !RESULT_MEMBERS.includes(member)) as T;
}

const ENGINE_SOURCES: ReadonlySet<unknown> = new Set(["category", "universal", "job"]);

/**
 * What a new attempt keeps of the list before it (docs/contract/jobs.md#retries): its own entries; start actions that
 * ran stay done.
 */
export function actionsForRetry(actions: readonly Action[]): Action[] {
  return actions
    .filter((action) => !ENGINE_SOURCES.has(action["source"]) || isDoneAtStart(action))
    .map((action) => (isDoneAtStart(action) ? action : withoutResult(action)));
}

const isDoneAtStart = (action: Action): boolean => action.condition === "start" && hasResult(action);

/** Types of the contract that have no handler in this version. */
const MISSING_TYPES: ReadonlySet<string> = new Set(["store", "fetch"]);

/** Description of an action whose type nobody handles. */
export const missingTypeText = (type: string): string =>
  MISSING_TYPES.has(type) ? `Action type ${type} is not available yet` : `Unknown action type: ${type}`;

/** An id that an action names. Jobs push actions that nobody has checked: anything but a text names nothing. */
export function wordIn(action: Readonly<Record<string, unknown>>, member: string): string {
  const word = action[member];
  return typeof word === "string" ? word : "";
}

/** Targets of types that nobody handles, so that duplicates of them are dropped all the same. */
export function targetOfUnhandled(action: Action): string {
  switch (action.type) {
    case "store":
    case "fetch":
      return wordIn(action, "bucket_id");
    default:
      return "";
  }
}
