import type { Group } from "../../../../directory/groups/model.ts";
import { copyData } from "../../../../lib/json/copy-data.ts";
import type { Action } from "../../../../wire/entries/actions-and-limits.ts";
import { dedupeActions, withoutResult } from "../../../actions/rules/list.ts";
import type { Alert, Condition } from "../../model.ts";

export interface ActionSources {
  readonly alert: Pick<Alert, "actions" | "exclusive_actions">;
  /** Groups of the server at the sample, in order; deleted ones left out. */
  readonly groups: readonly Pick<Group, "alert_actions">[];
  /** Actions of the configuration. */
  readonly universal: readonly Action[];
  readonly condition: Condition;
  /** Undefined = the type makes no sense on alerts; such actions are skipped without result. */
  readonly targetOf: (action: Action) => string | undefined;
}

/**
 * The actions of one transition (docs/contract/alerts.md#list): own, groups, configuration; the first per type and
 * target stays.
 */
export function alertActions({ alert, groups, universal, condition, targetOf }: ActionSources): Action[] {
  const shared = alert.exclusive_actions
    ? []
    : [
        ...groups.flatMap(({ alert_actions }) => alert_actions ?? []).map((action) => ({ ...action, source: "group" })),
        ...universal.map((action) => ({ ...action, source: "universal" })),
      ];
  const due = [...(alert.actions ?? []), ...shared].filter(
    (action) => action.enabled && action.condition === condition && targetOf(action) !== undefined,
  );
  const placed = due.map((action, index) => ({ action, index }));
  // A result that a definition brought along would keep the action from running.
  return dedupeActions(placed, (action) => targetOf(action) ?? "").map(({ action }) => copyData(withoutResult(action)));
}

interface Target {
  readonly applies: readonly string[];
  target(action: Action): string;
}

/** De-duplication key of an action on alerts, after its type; undefined = the type is skipped. */
export function alertTarget(action: Action, type: Target | undefined): string | undefined {
  if (!type?.applies.includes("alert")) return undefined;
  const { email, users, plugin_id, params, ticket_type, ticket_assignees, ticket_tags, ticket_due } = action as Action &
    Readonly<Record<string, unknown>>;
  switch (action.type) {
    case "email":
      return JSON.stringify([textOf(email), namesOf(users)]);
    case "run_event":
      return JSON.stringify([type.target(action), sorted(params)]);
    case "plugin":
      return JSON.stringify([plugin_id, sorted(params)]);
    case "snapshot":
      return "";
    case "ticket":
      return JSON.stringify([ticket_type, namesOf(ticket_assignees), namesOf(ticket_tags), ticket_due ?? ""]);
    default:
      return type.target(action);
  }
}

const textOf = (value: unknown): string => (typeof value === "string" ? value.trim().toLowerCase() : "");
/** Order and case make no difference. */
const namesOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(textOf).toSorted() : []);

/** Sorts members, so that the same parameters in another order are equal. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value ?? null;
  const entries = Object.entries(value).map(([key, each]): [string, unknown] => [key, sorted(each)]);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
