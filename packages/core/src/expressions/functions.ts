import { type Budget, charge, checkTime } from "./bounds/budget.ts";
import { boundedText } from "./bounds/limits.ts";
import type { ExpressionFunction } from "./compile/calls.ts";
import { readMember } from "./members.ts";
import type { RegexCache } from "./regex/regex.ts";
import { cutFloat, formatBytes, formatPercentage, leadingInteger, toNumber, toText } from "./text-formats.ts";

/** Titles that `server()` and `event()` return; undefined where there is no such record. */
export interface ExpressionLookups {
  /** Title or hostname of a server that is connected or went offline recently. */
  readonly server?: (id: string) => string | undefined;
  /** Title of an event, or of the event of an active job. */
  readonly event?: (id: string) => string | undefined;
}

interface Surroundings {
  readonly budget: Budget;
  readonly regexes: RegexCache;
  readonly locale: string;
  readonly lookups: ExpressionLookups;
}

type FunctionTable = Readonly<Record<string, ExpressionFunction>>;

const integer: ExpressionFunction = (value) => leadingInteger(value) || 0;

const numeric: FunctionTable = {
  min: (...values) => Math.min(...values.map(toNumber)),
  max: (...values) => Math.max(...values.map(toNumber)),
  floor: (value) => Math.floor(toNumber(value)),
  ceil: (value) => Math.ceil(toNumber(value)),
  round: (value) => Math.round(toNumber(value)),
  clamp: (value, low, high) => Math.max(toNumber(low), Math.min(toNumber(high), toNumber(value))),
  integer,
  int: integer,
  float: cutFloat,
  bytes: formatBytes,
  pct: formatPercentage,
};

const count: ExpressionFunction = (value) => {
  if (!value) return 0;
  return typeof value === "string" || Array.isArray(value) ? value.length : undefined;
};

const createSearches = ({ budget, regexes }: Surroundings): FunctionTable => ({
  find: (list, key, part) => {
    if (!Array.isArray(list)) throw new TypeError("find() needs a list");
    const name = toText(key);
    const sought = toText(part);
    charge(budget, list.length * 2);
    return list.filter((element) => toText(memberOf(element, name)).includes(sought));
  },
  includes: (whole, part) => {
    if (typeof whole === "string") {
      charge(budget, whole.length >> 6);
      return whole.includes(toText(part));
    }
    if (!Array.isArray(whole)) return false;
    charge(budget, whole.length);
    return whole.includes(part);
  },
  match: (value, pattern) => {
    const regex = regexes.compile(pattern === undefined ? "" : toText(pattern));
    if (value === undefined || value === null) return false;
    const subject = toText(value);
    charge(budget, 1 + (subject.length >> 6));
    // A slow pattern may take 40 ms, far more than its steps suggest.
    if (!regex.isQuick(subject)) checkTime(budget);
    const found = regex.test(subject);
    if (!regex.isQuick(subject)) checkTime(budget);
    return found;
  },
});

const memberOf = (element: unknown, name: string): unknown =>
  element === undefined || element === null ? undefined : readMember(element, name);

const createTexts = ({ budget, locale }: Surroundings): FunctionTable => {
  let format: Intl.NumberFormat | undefined;
  const counted = (text: string): string => {
    charge(budget, text.length >> 6);
    return boundedText(text);
  };
  return {
    number(value) {
      format ??= new Intl.NumberFormat(locale);
      return format.format(toNumber(value || 0));
    },
    stringify: (value) => {
      const text = JSON.stringify(value) as string | undefined;
      return text === undefined ? undefined : counted(text);
    },
    encode: (value) => counted(encodeURIComponent(boundedText(toText(value)).toWellFormed())),
  };
};

const createLookups = ({ lookups }: Surroundings): FunctionTable => ({
  server: (id) => (typeof id === "string" ? (lookups.server?.(id) ?? id) : id),
  event: (id) => (typeof id === "string" ? lookups.event?.(id) : undefined),
});

/** The functions that every expression may call. See docs/contract/expressions.md#functions. */
export const createFunctions = (surroundings: Surroundings): ReadonlyMap<string, ExpressionFunction> =>
  new Map(
    Object.entries({
      ...numeric,
      count,
      ...createSearches(surroundings),
      ...createTexts(surroundings),
      ...createLookups(surroundings),
    }),
  );
