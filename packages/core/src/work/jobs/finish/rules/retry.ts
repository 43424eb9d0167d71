import type { Limit } from "../../../../wire/entries/actions-and-limits.ts";
import { actionsForRetry } from "../../actions/rules/actions.ts";
import { amountOf, limitsForRetry, startLimit } from "../../limits/rules/limits.ts";
import type { ActiveJob, Job } from "../../model.ts";
import { resultCode } from "./result-code.ts";

/** What follows an attempt: no retry, another attempt, or retries used up. */
export type RetryDecision =
  | { readonly kind: "none" }
  | { readonly kind: "again"; readonly count: number; readonly total: number; readonly delay: number }
  | { readonly kind: "exhausted"; readonly total: number };

/** Seconds. Longest delay of a retry. */
const MAX_DELAY = 86_400;

/**
 * Seconds before a retry: `duration`, multiplied by `backoff` for each earlier attempt, at most `max_delay`, then varied by up to
 * the share `jitter` in either direction, so that jobs that failed together do not retry together.
 */
export function retryDelay(limit: Limit | undefined, count: number, fraction: () => number): number {
  const backoff = Math.max(1, amountOf(limit, "backoff"));
  const most = amountOf(limit, "max_delay") || MAX_DELAY;
  const base = amountOf(limit, "duration");
  const jitter = Math.min(1, Math.max(0, amountOf(limit, "jitter")));
  const delay = backoff === 1 ? base : Math.min(Math.max(base, most), base * backoff ** count);
  return jitter === 0 ? delay : delay * (1 + jitter * (2 * fraction() - 1));
}

/** See docs/contract/jobs.md#retries: an aborted job is retried only if the abort allows it. */
export function decideRetry(job: Job, fraction: () => number): RetryDecision {
  const code = resultCode(job.code);
  if (code === 0 || job.retried || (code === "abort" && !job.retry_ok)) return { kind: "none" };
  const limit = startLimit(job.limits ?? [], "retry");
  const retries = amountOf(limit);
  if (retries <= 0) return { kind: "none" };
  const count = job.retry_count ?? 0;
  if (retries > count)
    return { kind: "again", count: count + 1, total: retries, delay: retryDelay(limit, count, fraction) };
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
  ...["test_limits", "test_conditions", "tickets", "overlap", "clear_alert", "now", "params", "stype", "splugin"],
  ...["params_version", "tenant"],
] as const;

/** A workflow starts from the beginning; a sub-job keeps its place. */
function workflowForRetry(workflow: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { state: _state, jobs: _jobs, aborted: _reason, redirect: _gone, ...kept } = workflow;
  return kept;
}

/** The members that a retry takes over from the previous attempt. */
export function membersForRetry({ job }: Pick<ActiveJob, "job">): Record<string, unknown> {
  return {
    ...Object.fromEntries(KEPT.flatMap((member) => (job[member] === undefined ? [] : [[member, job[member]]]))),
    ...(job.workflow ? { workflow: workflowForRetry(job.workflow) } : {}),
    actions: actionsForRetry(job.actions ?? []),
    limits: limitsForRetry(job.limits ?? []),
  };
}
