import { type Check as IsGood, isFlag, isIdList, isText, isWithin, orAbsent } from "../../../wire/checks.ts";
import { newStamps } from "../../../wire/stamps.ts";
import type { Check, CreateCheck } from "../model.ts";

const MAX_URL = 2000;
const MAX_WORD = 1000;
const MAX_RANGES = 20;

function isUrl(value: unknown): boolean {
  if (typeof value !== "string" || value.length > MAX_URL) return false;
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
}

const RANGE = /^([1-5]\d\d)(?:-([1-5]\d\d))?$/;
const isRange = (value: unknown): boolean => {
  const [, from, to = from] = RANGE.exec(String(value)) ?? [];
  return typeof value === "string" && from !== undefined && Number(from) <= Number(to);
};
const isWord: IsGood = (value) => typeof value === "string" && value.length <= MAX_WORD;

const FIELDS: Readonly<Record<string, IsGood>> = {
  title: isText,
  enabled: isFlag,
  category: isText,
  tags: orAbsent(isIdList),
  type: (value) => value === "http",
  url: isUrl,
  method: (value) => value === "GET" || value === "HEAD",
  every: isWithin(60, 86_400),
  timeout: isWithin(1, 30),
  retries: isWithin(0, 10),
  status: (value) => Array.isArray(value) && value.length > 0 && value.length <= MAX_RANGES && value.every(isRange),
  contains: orAbsent(isWord),
  not_contains: orAbsent(isWord),
  max_ms: orAbsent(isWithin(1, 30_000)),
  follow: isFlag,
  verify: isFlag,
  warn_days: isWithin(0, 3650),
  crit_days: isWithin(0, 3650),
  icon: orAbsent(isText),
  notes: orAbsent(isText),
};

/** The sentence that refuses a check; undefined when it can be stored. */
export function checkFault(check: Readonly<Record<string, unknown>>): string | undefined {
  const field = Object.keys(FIELDS).find((name) => !FIELDS[name]?.(check[name]));
  return field && `Invalid value for ${field}`;
}

const DEFAULTS = {
  ...{ enabled: true, category: "general", method: "GET" as const, every: 60, timeout: 10, retries: 2 },
  ...{ status: ["200-399"], follow: true, verify: true, warn_days: 21, crit_days: 7 },
};

export const newCheck = (input: CreateCheck, stamp: { id: string; username: string; now: number }): Check => {
  const record = { ...DEFAULTS, ...input, id: stamp.id, ...newStamps(stamp.username, stamp.now) };
  return record as typeof record & Check;
};

/** Whether a status is one of the ranges. */
export const isStatusIn = (status: number, ranges: readonly string[]): boolean =>
  ranges.some((range) => {
    const [from = "", to = from] = range.split("-");
    return status >= Number(from) && status <= Number(to);
  });
