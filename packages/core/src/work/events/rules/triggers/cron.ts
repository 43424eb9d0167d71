/** The part of a schedule trigger that a cron pattern describes. */
export interface CronTrigger {
  type: "schedule";
  enabled: true;
  months?: number[];
  days?: number[];
  weekdays?: number[];
  hours?: number[];
  minutes?: number[];
}

interface FieldRules {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const MINUTE: FieldRules = { name: "minute", min: 0, max: 59 };
const HOUR: FieldRules = { name: "hour", min: 0, max: 23 };
const DAY: FieldRules = { name: "day of month", min: 1, max: 31 };
const MONTH: FieldRules = { name: "month", min: 1, max: 12, names: ["", ...MONTHS] };
/** 0 and 7 are both Sunday. */
const WEEKDAY: FieldRules = { name: "day of week", min: 0, max: 7, names: WEEKDAYS };

const NICKNAMES: ReadonlyMap<string, string> = new Map([
  ["@yearly", "0 0 1 1 *"],
  ["@annually", "0 0 1 1 *"],
  ["@monthly", "0 0 1 * *"],
  ["@weekly", "0 0 * * 0"],
  ["@daily", "0 0 * * *"],
  ["@midnight", "0 0 * * *"],
  ["@hourly", "0 * * * *"],
]);

/**
 * Converts a cron pattern to triggers of an event, for `triggers` of `createEvent`. A pattern has five fields: minute, hour, day
 * of month, month, day of week; `*`, `?`, lists, ranges, steps, English names, `L` for the last day of the month, and nicknames
 * like `@daily`. As in cron, if both day fields are restricted and
 * neither begins with `*`, a day counts when either of them matches; this takes two triggers, which never match the same minute.
 * Throws `Error` that names the field.
 *
 * @example
 * parseCron("30 2 * * mon-fri"); // [{ type: "schedule", enabled: true, hours: [2], minutes: [30], weekdays: [1, 2, 3, 4, 5] }]
 */
export function parseCron(text: string): CronTrigger[] {
  const fields = (NICKNAMES.get(text.trim().toLowerCase()) ?? text).trim().split(/\s+/);
  if (fields.length !== 5)
    throw new Error(`Cron pattern "${text}" needs five fields: minute, hour, day of month, month, day of week`);
  const [minute = "", hour = "", day = "", month = "", weekday = ""] = fields;
  const read = (rules: FieldRules, source: string) => readField(rules, source, text);
  const minutes = read(MINUTE, minute);
  const hours = read(HOUR, hour);
  const months = read(MONTH, month);
  const common = {
    type: "schedule",
    enabled: true,
    ...(months && { months }),
    ...(hours && { hours }),
    ...(minutes && { minutes }),
  } as const;
  const days = day.toUpperCase() === "L" ? [-1] : read(DAY, day);
  const weekdays = read(WEEKDAY, weekday);
  const isBoth = days && weekdays && [day, weekday].some((field) => field.startsWith("*"));
  const patterns = isBoth ? [{ days, weekdays }] : eitherDay(days, weekdays, text);
  return patterns.map((pattern) => ({ ...common, ...pattern }));
}

function eitherDay(days: number[] | undefined, weekdays: number[] | undefined, text: string) {
  if (!days) return [weekdays ? { weekdays } : {}];
  if (!weekdays) return [{ days }];
  if (days.includes(-1)) throw new Error(`Cron pattern "${text}": L cannot be combined with a day of week`);
  const others = range(DAY.min, DAY.max, 1).filter((day) => !days.includes(day));
  return [{ days }, { days: others, weekdays }];
}

/** The values of a field in order; undefined when it allows all values. */
function readField(rules: FieldRules, source: string, text: string): number[] | undefined {
  const fail = (reason: string): never => {
    throw new Error(`Cron pattern "${text}": ${reason} in ${rules.name} "${source}"`);
  };
  const values = new Set<number>();
  for (const part of source.split(",")) for (const value of readPart(rules, part, fail)) values.add(value);
  if (rules === WEEKDAY && values.delete(7)) values.add(0);
  const size = rules === WEEKDAY ? 7 : rules.max - rules.min + 1;
  return values.size === size ? undefined : [...values].sort((a, b) => a - b);
}

type Fail = (reason: string) => never;

function readPart(rules: FieldRules, part: string, fail: Fail): number[] {
  const [span = "", stepText, ...more] = part.split("/");
  if (more.length > 0) return fail("two steps");
  const step = stepText === undefined ? 1 : Number(stepText);
  if (!Number.isInteger(step) || step < 1) return fail("a step that is no positive number");
  if (span === "*" || span === "?") return range(rules.min, rules === WEEKDAY ? 6 : rules.max, step);
  const [fromText = "", toText, ...rest] = span.split("-");
  if (rest.length > 0) return fail("two dashes");
  const from = readValue(rules, fromText, fail);
  // "5/15" means from 5 to the end, as in most crons.
  const open = stepText === undefined ? from : rules.max;
  const to = toText === undefined ? open : readValue(rules, toText, fail);
  if (to < from) return fail("a range that runs backwards");
  return range(from, to, step);
}

function readValue({ min, max, names }: FieldRules, text: string, fail: Fail): number {
  const named = text === "" ? -1 : (names?.indexOf(text.toLowerCase()) ?? -1);
  if (named >= 0) return named;
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : fail(`"${text}" is not between ${min} and ${max}`);
}

function range(from: number, to: number, step: number): number[] {
  const values: number[] = [];
  for (let value = from; value <= to; value += step) values.push(value);
  return values;
}
