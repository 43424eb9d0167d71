import * as z from "zod";
import { isSeverity, SEVERITIES } from "../../../../fleet/alerts/rules/definition/severity.ts";
import { isObject } from "../../../../lib/json/is-object.ts";
import { readDuration } from "../../../../lib/time/duration.ts";
import { type Check, isWithin } from "../../../../wire/fields/checks.ts";
import { object } from "../../../../wire/schemas/objects.ts";
import { MAX_EPOCH } from "../bounds.ts";

/** Expectations of an event's jobs (docs/contract/events.md#expect). Times are seconds. Ours. */
export const Expect = object(() => ({
  /** Longest time between two successes. */
  success_every: z.number().optional(),
  /** A scheduled run must start within this time after it is due. */
  start_within: z.number().optional(),
  /** Longest time that a run may take. */
  finish_within: z.number().optional(),
  /** Failures that are allowed within `failures_per`. */
  max_failures: z.number().optional(),
  failures_per: z.number().optional(),
  /** Tolerance for a late success or start. */
  grace: z.number().optional(),
  /** Severity of alerts on the event; overrides the severity of the alerts. */
  severity: z.enum(SEVERITIES).optional(),
  /** Unix seconds since when the expectation counts: its first save, or the last time that the event was enabled. */
  from: z.number().optional(),
}));
export type Expect = z.infer<typeof Expect>;

/** The shape that callers send: a duration may be a text such as "26 hours". */
export const ExpectInput = object(() => ({
  success_every: z.union([z.number(), z.string()]).optional(),
  start_within: z.union([z.number(), z.string()]).optional(),
  finish_within: z.union([z.number(), z.string()]).optional(),
  max_failures: z.number().optional(),
  failures_per: z.union([z.number(), z.string()]).optional(),
  grace: z.union([z.number(), z.string()]).optional(),
  severity: z.string().optional(),
  from: z.number().optional(),
}));
export type ExpectInput = z.input<typeof ExpectInput>;

export const GRACE_SEC = 300;
export const FAILURES_PER_SEC = 86_400;

/** 400 days. Seconds. */
const LONGEST = 34_560_000;
/** Largest `max_failures`; it is bounded because failures are counted one by one. */
const MOST_FAILURES = 1000;

const FIELDS: Readonly<Record<keyof Expect, Check>> = {
  success_every: isWithin(60, LONGEST),
  start_within: isWithin(1, LONGEST),
  finish_within: isWithin(1, LONGEST),
  max_failures: isWithin(0, MOST_FAILURES),
  failures_per: isWithin(60, LONGEST),
  grace: isWithin(0, LONGEST),
  severity: isSeverity,
  from: isWithin(0, MAX_EPOCH),
};
const NEEDED = ["success_every", "start_within", "finish_within", "max_failures"] as const;

const isName = (name: string): name is keyof Expect => Object.hasOwn(FIELDS, name);

/** Converts durations that are texts, such as "26 hours", to seconds; other values are passed through. */
export function readExpect(sent: unknown): unknown {
  if (!isObject(sent)) return sent;
  const entries = Object.entries(sent).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [name, readDuration(value)]));
}

/** The sentence that refuses an expectation; undefined when it can be stored. */
export function expectFault(expect: unknown): string | undefined {
  if (expect === undefined || expect === null) return undefined;
  if (!isObject(expect)) return "Invalid value for expect";
  const bad = Object.entries(expect).find(([name, value]) => !isName(name) || !FIELDS[name](value));
  if (bad) return `Invalid value for expect.${bad[0]}`;
  if (NEEDED.some((name) => name in expect)) return undefined;
  return `expect needs at least one of ${NEEDED.join(", ")}.`;
}
