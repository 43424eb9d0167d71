import { hasResult, withoutResult } from "../../../../fleet/actions/rules/list.ts";
import { copyData } from "../../../../lib/json/copy-data.ts";
import type { Action } from "../../../../wire/entries/actions-and-limits.ts";

/** A list of actions and its source; absent = the event itself. */
export interface ActionLayer {
  readonly source?: string;
  readonly actions: readonly Action[];
}

/**
 * The actions of a job: all those of the event, then the enabled ones of category and configuration
 * (docs/contract/categories.md#merging). Duplicates are kept, because the same target may occur under different conditions.
 * Results sent by a definition or a caller are removed, because they would keep the action from running; only a retry passes on
 * the results of start actions.
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
 * The actions that a retry takes over (docs/contract/jobs.md#retries): the event's own; start actions that have run keep their
 * results.
 */
export function actionsForRetry(actions: readonly Action[]): Action[] {
  return actions
    .filter((action) => !ENGINE_SOURCES.has(action["source"]) || isDoneAtStart(action))
    .map((action) => (isDoneAtStart(action) ? action : withoutResult(action)));
}

const isDoneAtStart = (action: Action): boolean => action.condition === "start" && hasResult(action);
