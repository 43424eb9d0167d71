import type { Limit } from "../../../../wire/entries/actions-and-limits.ts";
import { amountOf } from "../../limits/rules/limits.ts";
import type { Counts } from "../../upkeep/rules/stats.ts";

/**
 * Launches by people count but are never refused, because they are deliberate
 * (docs/contract/limits.md#at-the-start-and-at-the-end).
 */
const EXEMPT: ReadonlySet<string> = new Set(["user", "key"]);

/** Enabled limits of the type `day` that can refuse a launch; all of them apply. */
export const dayLimits = (limits: readonly Limit[], source: string): Limit[] =>
  EXEMPT.has(source) ? [] : limits.filter((limit) => limit.enabled && limit.type === "day" && amountOf(limit) > 0);

/** Why the day's counts of its event refuse a launch; undefined = it is allowed. */
export function dayProblem(limits: readonly Limit[], counts: Counts, event: string): string | undefined {
  const full = limits.find((limit) => (counts[`job_${String(limit["condition"])}`] ?? 0) >= amountOf(limit));
  if (!full) return undefined;
  const { condition } = full;
  return `Maximum daily '${String(condition)}' count of ${amountOf(full)} has been reached for event: ${event}`;
}
