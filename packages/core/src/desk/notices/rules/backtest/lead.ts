import { flapRuleOf } from "../../../../fleet/alerts/rules/evaluation/episodes.ts";
import type { Trial } from "./trial.ts";

/**
 * Seconds by which a back-test begins early, because earlier firings can be part of a flapping episode or be due for a
 * repetition. Notices of that lead time are not counted.
 */
export function leadOf({ alerts, routes }: Pick<Trial, "alerts" | "routes">): number {
  const windows = [...alerts.values()].flatMap((alert) => (alert.enabled ? flapRuleOf(alert).window : []));
  const repeats = [...routes.values()].flatMap(({ enabled, repeat_interval }) => (enabled ? repeat_interval : []));
  return Math.max(0, ...windows) + Math.max(0, ...repeats);
}
