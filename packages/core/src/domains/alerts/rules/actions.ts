import type { Group } from "../../groups/model.ts";
import type { Action } from "../../jobs/model.ts";
import { dedupeActions } from "../../jobs/rules/actions.ts";
import type { Alert, Condition } from "../model.ts";

export interface ActionSources {
  readonly alert: Pick<Alert, "actions" | "exclusive_actions">;
  /** Groups of the server at the sample, in order; deleted ones left out. */
  readonly groups: readonly Pick<Group, "alert_actions">[];
  /** Of the configuration. */
  readonly universal: readonly Action[];
  readonly condition: Condition;
  /** Undefined = nothing handles the type on alerts; such actions are skipped without result. */
  readonly targetOf: (action: Action) => string | undefined;
}

/** The actions of one transition (part 22 §7.1): own, groups, configuration; the first per type and target stays. */
export function alertActions({ alert, groups, universal, condition, targetOf }: ActionSources): Action[] {
  const shared = alert.exclusive_actions
    ? []
    : [
        ...groups.flatMap(({ alert_actions }) => alert_actions).map((action) => ({ ...action, source: "group" })),
        ...universal.map((action) => ({ ...action, source: "universal" })),
      ];
  const due = [...alert.actions, ...shared].filter(
    (action) => action.enabled && action.condition === condition && targetOf(action) !== undefined,
  );
  const placed = due.map((action, index) => ({ action, index }));
  return dedupeActions(placed, (action) => targetOf(action) ?? "").map(({ action }) => structuredClone(action));
}
