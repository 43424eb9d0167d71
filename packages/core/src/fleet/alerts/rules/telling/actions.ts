import type { Group } from "../../../../directory/groups/model.ts";
import { copyData } from "../../../../lib/json/copy-data.ts";
import type { Action } from "../../../../wire/entries/actions-and-limits.ts";
import { dedupeActions, withoutResult } from "../../../actions/rules/list.ts";
import type { Alert, Condition } from "../../model.ts";

export interface ActionSources {
  readonly alert: Pick<Alert, "actions" | "exclusive_actions">;
  /** Groups of the server at the time of the sample, in order, without deleted ones. */
  readonly groups: readonly Pick<Group, "alert_actions">[];
  /** Actions of the configuration. */
  readonly universal: readonly Action[];
  readonly condition: Condition;
  /** Undefined = the type cannot be used on alerts; the action is skipped and gets no result. */
  readonly targetOf: (action: Action) => string | undefined;
}

/**
 * The actions of one transition (docs/contract/alerts.md#list): the alert's own, then those of groups, then those of
 * the configuration; deduplicated by type and target.
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
  // A result that is part of the definition would keep the action from running.
  return dedupeActions(placed, (action) => targetOf(action) ?? "").map(({ action }) => copyData(withoutResult(action)));
}

interface Target {
  readonly applies: readonly string[];
  target(action: Action): string;
}

/** Deduplication key of an action on alerts, without its type; undefined = the type is skipped. */
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
/** Normalises a list: order and case make no difference. */
const namesOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(textOf).toSorted() : []);

/** Sorts members recursively, so that equal parameters in another order compare equal. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value ?? null;
  const entries = Object.entries(value).map(([key, each]): [string, unknown] => [key, sorted(each)]);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
