import { hasResult, withoutResult } from "../../../../fleet/actions/rules/list.ts";
import { copyData } from "../../../../lib/json/copy-data.ts";
import type { Action } from "../../../../wire/entries/actions-and-limits.ts";

/** A list of actions and where it comes from; absent = the event itself. */
export interface ActionLayer {
  readonly source?: string;
  readonly actions: readonly Action[];
}

/**
 * The actions of a job: all of the event's own, then the enabled ones of category and configuration
 * (docs/contract/categories.md#merging). Duplicates stay, because the same target may stand under different conditions.
 * Results that a definition or a caller brought along would keep the action from running; only a retry hands on the
 * results of its start actions.
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

const ENGINE_SOURCES: ReadonlySet<unknown> = new Set(["category", "universal", "job"]);

/**
 * The actions that a new attempt keeps of the list before it (docs/contract/jobs.md#retries): its own entries; start
 * actions that ran stay done.
 */
export function actionsForRetry(actions: readonly Action[]): Action[] {
  return actions
    .filter((action) => !ENGINE_SOURCES.has(action["source"]) || isDoneAtStart(action))
    .map((action) => (isDoneAtStart(action) ? action : withoutResult(action)));
}

const isDoneAtStart = (action: Action): boolean => action.condition === "start" && hasResult(action);
