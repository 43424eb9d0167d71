import * as z from "zod";
import { isObject } from "../../lib/json/is-object.ts";
import { reporting } from "../issues.ts";
import { knowing } from "../schemas/known-members.ts";
import type { Limit } from "./actions-and-limits.ts";
import { knownLimits } from "./entry-members.ts";
import type { LimitInputs } from "./limit-types.ts";

type Entry = Readonly<Record<string, unknown>>;
/** Returns the text that follows "Malformed limit entry #n". */
type Check = (entry: Entry) => string | undefined;

const DAY_CONDITIONS: ReadonlySet<unknown> = new Set([
  "start",
  "complete",
  "continue",
  "success",
  "error",
  "user",
  "warning",
  "critical",
  "abort",
]);

/** `null` counts as absent. */
const isOptionalAmount = (value: unknown): boolean => value === undefined || value === null || isAmount(value);
const isAmount = (value: unknown): boolean => typeof value === "number" && value >= 0;
const isPositive = (value: unknown): boolean => isAmount(value) && value !== 0;

const checkUsage =
  (name: string): Check =>
  ({ amount, duration }) => {
    if (!isPositive(amount)) return `: Invalid ${name} amount (not a number)`;
    return isOptionalAmount(duration) ? undefined : `: Invalid ${name} duration (not a number)`;
  };

const checkCount =
  (what: string): Check =>
  ({ amount }) =>
    isOptionalAmount(amount) ? undefined : `: Invalid max ${what} (not a number)`;

function checkRetry({ amount, duration, backoff, max_delay, jitter }: Entry): string | undefined {
  if (!isOptionalAmount(amount)) return ": Invalid max retries (not a number)";
  return [duration, backoff, max_delay, jitter].every(isOptionalAmount)
    ? undefined
    : ": Invalid retry delay (not a number)";
}

function checkFile(entry: Entry): string | undefined {
  const { size, accept } = entry;
  if (!isOptionalAmount(size)) return ": Invalid max file size (not a number)";
  if (accept === undefined || accept === null) return undefined;
  if (typeof accept !== "string") return ": Invalid file type list (not a string)";
  return /[^\w\s\-.,]/.test(accept) ? ": Invalid file type list (contains illegal characters)" : undefined;
}

function checkDay({ amount, condition }: Entry): string | undefined {
  if (!DAY_CONDITIONS.has(condition)) return ": Invalid condition (unknown)";
  return isOptionalAmount(amount) ? undefined : ": Invalid max condition count (not a number)";
}

const CHECKS: ReadonlyMap<unknown, Check> = new Map<unknown, Check>([
  ["mem", checkUsage("memory")],
  ["cpu", checkUsage("CPU")],
  ["log", ({ amount }) => (isPositive(amount) ? undefined : ": Invalid max log size (not a number)")],
  ["time", ({ duration }) => (isPositive(duration) ? undefined : ": Invalid time limit (not a number)")],
  [
    "job",
    ({ amount, weight }) =>
      isPositive(amount) && isOptionalAmount(weight) ? undefined : ": Invalid max jobs (must be a positive number)",
  ],
  ["retry", checkRetry],
  ["queue", checkCount("queue")],
  ["file", (entry) => checkCount("files")(entry) ?? checkFile(entry)],
  ["day", checkDay],
  ["tag", checkCount("tags")],
]);

/**
 * The wire text of the first fault in a list of limits; undefined when there is none (docs/contract/limits.md#faults).
 */
export function checkLimits(value: unknown): string | undefined {
  if (!Array.isArray(value)) return "Malformed event parameter: limits (must be array)";
  for (const [index, entry] of value.entries()) {
    const fault = limitFault(entry);
    if (fault !== undefined) return `Malformed limit entry #${index + 1}${fault}`;
  }
  return checkQueue(value);
}

/** A schema member that accepts well-formed limits and reports the first fault in the contract's words. */
export const limitList = (): z.ZodType<Limit[], LimitInputs> =>
  knowing(
    z
      .unknown()
      .superRefine(reporting(checkLimits))
      .transform((value) => value as Limit[])
      .meta({ type: "array", items: { type: "object" } }),
    knownLimits,
  ) as never;

/** The fault of one limit: the text that follows "Malformed limit entry #n". */
export function limitFault(entry: unknown): string | undefined {
  if (!isObject(entry)) return " (not an object)";
  if (entry["enabled"] === undefined) return ": Missing enabled flag";
  const check = CHECKS.get(entry["type"]);
  return check ? check(entry) : ": Unknown type";
}

/** See docs/contract/limits.md#faults: without a limit on concurrent jobs, nothing would ever be queued. */
function checkQueue(limits: readonly Entry[]): string | undefined {
  const enabled = limits.filter((limit) => limit["enabled"]);
  const queues = enabled.some(({ type, amount }) => type === "queue" && isPositive(amount));
  if (!queues || enabled.some(({ type }) => type === "job")) return undefined;
  return "Limit Configuration: The 'Max Queue Limit' requires a 'Max Concurrent Jobs' limit to be present.";
}
