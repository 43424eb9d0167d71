import type { Alert } from "../../../../fleet/alerts/model.ts";
import { unknownPaths } from "../../../../fleet/alerts/rules/backtest/kept.ts";
import { kindOf } from "../../../../fleet/alerts/rules/definition/subjects.ts";

/** Members of an alert that say when it fires, and on what. */
const OF_FIRING = [
  ...(["enabled", "subject", "expression", "recovery", "samples", "for", "keep_firing_for", "on_error"] as const),
  ...(["no_data", "groups", "categories", "subject_tags"] as const),
];

/** Whether an alert would fire at other times than it did. */
const firesOtherwise = (alert: Alert, stored: Alert | undefined): boolean =>
  !stored || OF_FIRING.some((member) => JSON.stringify(alert[member]) !== JSON.stringify(stored[member]));

export interface Sorted {
  /** Alerts whose firings are made of minutes. */
  readonly byMinutes: readonly Alert[];
  /** Alerts whose firings are the stored ones. */
  readonly byRecord: readonly Alert[];
  /** Paths of expressions that are not kept, each once. */
  readonly unknown: readonly string[];
}

/**
 * Alerts by the source of their firings. An alert that reads something that is not kept, and is tried out as it is,
 * counts with the firings that it had: minutes would say that it never fired.
 */
export function sortedOut(
  alerts: readonly Alert[],
  stored: ReadonlyMap<string, Alert>,
  pathsOf: (expression: string) => readonly string[],
): Sorted {
  const byMinutes: Alert[] = [];
  const byRecord: Alert[] = [];
  const unknown = new Set<string>();
  for (const alert of alerts.filter(({ enabled }) => enabled)) {
    const sources = [alert.expression, ...(alert.recovery ? [alert.recovery] : [])];
    const paths = unknownPaths(sources.flatMap(pathsOf), kindOf(alert));
    for (const path of paths) unknown.add(path);
    const isMadeAnew = paths.length === 0 || firesOtherwise(alert, stored.get(alert.id));
    (isMadeAnew ? byMinutes : byRecord).push(alert);
  }
  return { byMinutes, byRecord, unknown: [...unknown] };
}
