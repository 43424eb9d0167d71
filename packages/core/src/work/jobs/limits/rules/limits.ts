import { formatBytes } from "../../../../expressions/text-formats.ts";
import { withoutResult } from "../../../../fleet/actions/rules/list.ts";
import { copyData } from "../../../../lib/json/copy-data.ts";
import { readableDuration } from "../../../../lib/time/readable.ts";
import type { Limit } from "../../../../wire/entries/actions-and-limits.ts";

export interface LimitLayer {
  readonly source?: string;
  readonly limits: readonly Limit[];
}

/**
 * The limits of a job: all those of the event, then the enabled ones of category and configuration
 * (docs/contract/categories.md#merging).
 */
export function mergeLimits(layers: readonly LimitLayer[]): Limit[] {
  return layers.flatMap(({ source, limits }) =>
    source === undefined
      ? limits.map(fresh)
      : limits.filter(({ enabled, type }) => enabled && type).map((limit) => ({ ...fresh(limit), source })),
  );
}

/** Removes a result, which a definition copied from a finished job may have: a limit that has fired never fires again. */
const fresh = (limit: Limit): Limit => copyData(withoutResult(limit));

const ENGINE_SOURCES: ReadonlySet<unknown> = new Set(["category", "universal", "job"]);

/** The limits that a retry takes over; a limit that has fired may fire again (docs/contract/jobs.md#retries). */
export const limitsForRetry = (limits: readonly Limit[]): Limit[] =>
  limits.filter((limit) => !ENGINE_SOURCES.has(limit["source"])).map(withoutResult);

/** A member as a number. Numeric text counts too; anything else is 0. */
export function amountOf(limit: Limit | undefined, member = "amount"): number {
  const value = Number(limit?.[member] ?? 0);
  return Number.isFinite(value) ? value : 0;
}

/**
 * Only the first enabled limit of a type applies; later ones are ignored, even if the first one is 0
 * (docs/contract/limits.md#at-the-start-and-at-the-end).
 */
export const startLimit = (limits: readonly Limit[], type: string): Limit | undefined =>
  limits.find((limit) => limit.enabled && limit.type === type);

/** `null` counts as not sent (docs/contract/limits.md#faults). */
const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** Values of a job's start-time limits. */
export interface StartLimits {
  /** Most similar jobs at once; undefined = unlimited. */
  readonly concurrent: number | undefined;
  /** Most similar jobs in the line; 0 = no line. */
  readonly queue: number;
  /** Most retries. */
  readonly retries: number;
  /** The job's share of its server's capacity. */
  readonly weight: number;
  /** Most user tags; undefined = unlimited. */
  readonly tags: number | undefined;
}

export function startLimits(limits: readonly Limit[]): StartLimits {
  const job = startLimit(limits, "job");
  const tag = startLimit(limits, "tag");
  const concurrent = amountOf(job);
  return {
    concurrent: job && concurrent > 0 ? concurrent : undefined,
    queue: amountOf(startLimit(limits, "queue")),
    retries: amountOf(startLimit(limits, "retry")),
    weight: isGiven(job?.["weight"]) ? amountOf(job, "weight") : 1,
    tags: isGiven(tag?.["amount"]) ? amountOf(tag) : undefined,
  };
}

/** Why a launch is refused that has a queue limit without a limit on running jobs (docs/contract/jobs.md#launch). */
export function queueProblem(limits: readonly Limit[]): string | undefined {
  const queue = startLimit(limits, "queue");
  if (!queue || amountOf(queue) <= 0 || startLimit(limits, "job")) return undefined;
  return "The 'Max Queue Limit' requires a 'Max Concurrent Jobs' limit to also be present.";
}

/** Measurements of a running job that runtime limits are compared with. */
export interface Usages {
  /** Unix seconds. */
  readonly started: number;
  /** Bytes. */
  readonly logSize: number;
  /** Bytes; undefined without a sample. */
  readonly memory: number | undefined;
  /** Percent of one core; undefined without a sample. */
  readonly cpu: number | undefined;
}

export interface LimitPass {
  /** The limits, with `when` of current overages and the result of the limit that fired. */
  readonly limits: readonly Limit[];
  readonly fired?: { readonly index: number; readonly limit: Limit; readonly msg: string };
}

const RUNTIME_TYPES = ["time", "log", "mem", "cpu"] as const;
type RuntimeType = (typeof RUNTIME_TYPES)[number];

/**
 * One pass over an active job: at most one limit fires, and each limit only once in the life of the job
 * (docs/contract/limits.md#a-pass-over-an-active-job).
 */
export function checkRuntimeLimits(limits: readonly Limit[], usages: Usages, now: number): LimitPass {
  let list = limits;
  for (const { type, index, limit } of unfired(limits)) {
    const [next, over] = observe(type, limit, usages, now);
    if (over) {
      const msg = overageText(type, limit);
      const fired = {
        ...next,
        date: now,
        msg,
        code: 0,
        description: "Limit effects applied.",
        details: "",
        elapsed_ms: 0,
      };
      return { limits: list.with(index, fired), fired: { index, limit: fired, msg } };
    }
    if (next !== limit) list = list.with(index, next);
  }
  return { limits: list };
}

/** Limits that have not fired, by type in the order of evaluation, then by index. */
const unfired = (limits: readonly Limit[]): { type: RuntimeType; index: number; limit: Limit }[] =>
  RUNTIME_TYPES.flatMap((type) =>
    limits.flatMap((limit, index) =>
      limit.enabled && limit.type === type && limit["date"] === undefined ? [{ type, index, limit }] : [],
    ),
  );

/** The limit with an updated `when`, and whether it has been exceeded for long enough. */
function observe(type: RuntimeType, limit: Limit, usages: Usages, now: number): readonly [Limit, boolean] {
  if (!isOver(type, limit, usages, now)) return [withoutWhen(limit), false];
  if (type === "time" || type === "log") return [limit, true];
  const { when } = limit as { when?: unknown };
  // A time in the future comes from a clock that has been set back since.
  if (typeof when !== "number" || when > now) return [{ ...limit, when: now }, false];
  return [limit, now - when > amountOf(limit, "duration")];
}

function isOver(type: RuntimeType, limit: Limit, usages: Usages, now: number): boolean {
  const amount = amountOf(limit, type === "time" ? "duration" : "amount");
  switch (type) {
    case "time":
      return amount > 0 && now - usages.started > amount;
    case "log":
      return amount > 0 && usages.logSize > amount;
    case "mem":
      return usages.memory !== undefined && usages.memory > amount;
    case "cpu":
      return usages.cpu !== undefined && usages.cpu > amount;
  }
}

function withoutWhen(limit: Limit): Limit {
  if (limit["when"] === undefined) return limit;
  const { when: _over, ...rest } = limit;
  return rest as Limit;
}

function overageText(type: RuntimeType, limit: Limit): string {
  const duration = readableDuration(amountOf(limit, "duration"));
  switch (type) {
    case "time":
      return `Job elapsed time has exceeded maximum limit of ${duration}.`;
    case "log":
      return `Job output size has exceeded maximum limit of ${formatBytes(amountOf(limit))}.`;
    case "mem":
      return `Job memory usage has exceeded maximum limit of ${formatBytes(amountOf(limit))} for ${duration}.`;
    case "cpu":
      return `Job CPU usage has exceeded maximum limit of ${amountOf(limit)}% for ${duration}.`;
  }
}
