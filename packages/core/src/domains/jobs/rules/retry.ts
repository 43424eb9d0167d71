import type { ActiveJob, Job } from "../model.ts";
import { actionsForRetry } from "./actions.ts";
import { limitsForRetry, startLimits } from "./limits.ts";
import { resultCode } from "./result-code.ts";

/** What becomes of a failed attempt. */
export type RetryDecision =
  | { readonly kind: "none" }
  | { readonly kind: "again"; readonly count: number; readonly total: number; readonly delay: number }
  | { readonly kind: "exhausted"; readonly total: number };

/** Part 31 §10: an abort is final unless whoever aborted allows another attempt. */
export function decideRetry(job: Job): RetryDecision {
  const code = resultCode(job.code);
  if (code === 0 || job.retried || (code === "abort" && !job.retry_ok)) return { kind: "none" };
  const { retries, retryDelay } = startLimits(job.limits ?? []);
  if (retries <= 0) return { kind: "none" };
  const count = job.retry_count ?? 0;
  if (retries > count) return { kind: "again", count: count + 1, total: retries, delay: retryDelay };
  return { kind: "exhausted", total: retries };
}

const KEPT = [
  ...["type", "category", "plugin", "targets", "algo", "expression", "parent", "source", "username", "icon", "label"],
  ...[
    "tags",
    "test",
    "invisible",
    "ephemeral",
    "priority",
    "notes",
    "fields",
    "env",
    "plabel",
    "picon",
    "test_actions",
  ],
  ...["test_limits", "test_conditions", "tickets", "clear_alert", "now", "params", "stype", "splugin"],
] as const;

/** The members of a new attempt that come from the one before (part 31 §10). */
export function membersForRetry({ job }: Pick<ActiveJob, "job">): Record<string, unknown> {
  return {
    ...Object.fromEntries(KEPT.flatMap((member) => (job[member] === undefined ? [] : [[member, job[member]]]))),
    actions: actionsForRetry(job.actions ?? []),
    limits: limitsForRetry(job.limits ?? []),
  };
}
