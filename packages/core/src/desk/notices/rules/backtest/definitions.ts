import type { Alert } from "../../../../fleet/alerts/model.ts";
import { unknownPaths } from "../../../../fleet/alerts/rules/backtest/kept.ts";
import { kindOf } from "../../../../fleet/alerts/rules/definition/subjects.ts";

/** Members of an alert that decide when it fires, and on which subjects. */
const OF_FIRING = [
  ...(["enabled", "subject", "expression", "recovery", "samples", "for", "keep_firing_for", "on_error"] as const),
  ...(["no_data", "groups", "categories", "subject_tags"] as const),
];

/** Whether the alert was changed so that it would fire at other times than it did. */
const firesOtherwise = (alert: Alert, stored: Alert | undefined): boolean =>
  !stored || OF_FIRING.some((member) => JSON.stringify(alert[member]) !== JSON.stringify(stored[member]));

export interface Sorted {
  /** Alerts whose firings are computed from stored minutes. */
  readonly byMinutes: readonly Alert[];
  /** Alerts whose firings are read from stored records. */
  readonly byRecord: readonly Alert[];
  /** Distinct paths in expressions whose values are not stored. */
  readonly unknown: readonly string[];
}

/**
 * Sorts alerts by the source of their firings. An unchanged alert that reads values which are not stored keeps its recorded
 * firings: computed from minutes, it would seem never to have fired.
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
