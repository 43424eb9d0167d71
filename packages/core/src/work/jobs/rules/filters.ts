import { filterMembers } from "../../../lib/json/filter-members.ts";
import { joinedText } from "../../../lib/text/text-of.ts";
import { cutMembers } from "../../../wire/cut-members.ts";
import { CALL_MEMBERS } from "../../../wire/entries/launch-members.ts";
import { type Job, VERBOSE_MEMBERS } from "../model.ts";

type Members = Readonly<Record<string, unknown>>;

const PAGING: ReadonlySet<string> = new Set(["offset", "limit", "sort_by", "sort_dir"]);
const NOT_FILTERS: ReadonlySet<string> = new Set([...PAGING, ...CALL_MEMBERS]);

/** The value at a dotted path. Inherited members are ignored. */
export function memberAt(record: Members, path: string): unknown {
  let value: unknown = record;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

/**
 * Loose equality for filters: numbers match their text, `true` matches 1 and "true" (docs/contract/events.md#filters-of-lists).
 */
export function looselyEqual(stored: unknown, sent: unknown): boolean {
  const wanted = typeof sent === "object" && sent !== null ? joinedText(sent) : sent;
  if (typeof stored === "boolean")
    return String(stored) === String(wanted) || String(Number(stored)) === String(wanted);
  if (stored === undefined || stored === null) return wanted === undefined || wanted === null || wanted === "";
  return typeof stored !== "object" && String(stored) === String(wanted);
}

/** True when every parameter, except those for paging, equals the member that it names. */
export const matchesFilters = (job: Job, input: Members): boolean =>
  Object.entries(input).every(([path, wanted]) => NOT_FILTERS.has(path) || looselyEqual(memberAt(job, path), wanted));

const COLLATOR = new Intl.Collator("en");

/** Compares numbers as numbers and everything else as text; missing values come first. */
export function compareValues(a: unknown, b: unknown): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return COLLATOR.compare(joinedText(a), joinedText(b));
}

/** Jobs in the order of the member at a path, which is read once per job, since there may be thousands. */
export function sortedBy(jobs: readonly Job[], path: string, direction: 1 | -1): Job[] {
  const keyed = jobs.map((job) => ({ job, value: memberAt(job, path) }));
  return keyed.sort((a, b) => compareValues(a.value, b.value) * direction).map(({ job }) => job);
}

/** The short form of lists (docs/contract/jobs.md#record). */
export const pruned = <T extends Members>(job: T): T =>
  filterMembers(job, (member) => !VERBOSE_MEMBERS.includes(member)) as T;

/** The short form as JSON text, cut from the JSON of the record. */
export const prunedText = (json: string): string => cutMembers(json, VERBOSE_MEMBERS).rest;
