import type { Action } from "../../../../wire/entries/actions-and-limits.ts";

/** Types of actions that do something for each server at its firing or clearing; all other types notify people. */
const ACTING: ReadonlySet<string> = new Set(["run_event", "snapshot", "plugin", "ticket"]);

export const isTelling = ({ type }: Pick<Action, "type">): boolean => !ACTING.has(type);

/** True when the target was notified, or may have been: the action is still running, or was cut off. */
export const mayHaveTold = ({ code }: Readonly<Record<string, unknown>>): boolean =>
  code === undefined || code === 0 || code === "timeout";

export interface Told {
  /** Actions of the firing and of its repetitions, with their results. */
  readonly fired: readonly Action[];
  /** Actions that a firing would run by the current definitions. */
  readonly wanted: readonly Action[];
  /** True when the firing was held back until it ended. */
  readonly wasHeld: boolean;
  /** Target of an action, without its type. */
  readonly targetOf: (action: Action) => string | undefined;
}

/**
 * The actions of a clearing that should run. Notifications go to targets that were notified of the firing. Targets that
 * only have clearing actions are notified, too, unless the firing was held back from everyone.
 */
export function toldOnly(due: readonly Action[], { fired, wanted, wasHeld, targetOf }: Told): Action[] {
  const told = keysOf(fired.filter(mayHaveTold), targetOf);
  const known = keysOf([...fired, ...wanted], targetOf);
  const hears = (key: string): boolean => told.has(key) || !(known.has(key) || wasHeld);
  return onceEach(due, targetOf).filter((action) => !isTelling(action) || hears(keyOf(action, targetOf)));
}

/**
 * The actions that report that the server of a firing fell silent. They go to the targets that were notified of the
 * firing, whether or not these want clearings.
 */
export function toldOfNoData(due: readonly Action[], { fired, targetOf }: Told): Action[] {
  const told = keysOf(fired.filter(mayHaveTold), targetOf);
  return onceEach(due, targetOf)
    .filter((action) => isTelling(action) && told.has(keyOf(action, targetOf)))
    .map((action) => ({ ...action, condition: "alert_cleared" }));
}

type TargetOf = Told["targetOf"];

const keyOf = (action: Action, targetOf: TargetOf): string => `${action.type} ${targetOf(action) ?? ""}`;
const keysOf = (actions: readonly Action[], targetOf: TargetOf): Set<string> =>
  new Set(actions.map((action) => keyOf(action, targetOf)));

function onceEach(actions: readonly Action[], targetOf: TargetOf): Action[] {
  const keys = actions.map((action) => keyOf(action, targetOf));
  return actions.filter((_action, at) => keys.indexOf(keys[at] ?? "") === at);
}
