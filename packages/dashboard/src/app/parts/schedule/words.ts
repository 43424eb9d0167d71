import { language } from "../../texts/catalogue.ts";
import { duration, exact, list, number, timeZone, when, zoneName } from "../../texts/format.ts";
import { t } from "./texts.ts";

/** A stored trigger (docs/contract/schedules.md#triggers). */
export type Trigger = { readonly type: string; readonly enabled?: unknown; readonly [member: string]: unknown };

/** Most times that are listed one by one; more are described by a rule. */
const MOST_TIMES = 4;

export const numbersOf = (value: unknown): readonly number[] =>
  Array.isArray(value) ? value.filter((one): one is number => typeof one === "number").sort((a, b) => a - b) : [];

const two = (value: number): string => String(value).padStart(2, "0");

/** The distance between values that are spread evenly over `whole`; undefined if they are not. */
export function stepOf(values: readonly number[], whole: number): number | undefined {
  const [first = 0, second = first] = values;
  const step = second - first;
  const isEven = values.length > 1 && step > 0 && first < step && step * values.length === whole;
  return isEven && values.every((value, at) => value === first + at * step) ? step : undefined;
}

/** "8–18" for consecutive hours, otherwise all of them. */
function span(values: readonly number[]): string {
  const [first = 0] = values;
  const last = values.at(-1) ?? first;
  const isRow = values.length > 2 && last - first === values.length - 1;
  return isRow ? `${two(first)}–${two(last)}` : list(values.map(two));
}

interface Words {
  readonly text: string;
  /** The words name times of the day, so a date goes before them. */
  readonly isClock: boolean;
}

function timeWords(hours: readonly number[], minutes: readonly number[]): Words {
  const step = stepOf(minutes, 60);
  const past =
    minutes.length > MOST_TIMES ? minutes.map(String).join(", ") : list(minutes.map((one) => `:${two(one)}`));
  if (hours.length > 0 && minutes.length > 0 && hours.length * minutes.length <= MOST_TIMES) {
    const times = hours.flatMap((hour) => minutes.map((minute) => `${two(hour)}:${two(minute)}`));
    return { text: t("at", { times: list(times) }), isClock: true };
  }
  if (hours.length > 0 && minutes.length > 0)
    return { text: t("hoursAt", { minutes: past, hours: span(hours) }), isClock: false };
  if (hours.length > 0) return { text: t("minutesOf", { hours: span(hours) }), isClock: false };
  if (minutes.length === 0 || minutes.length === 60) return { text: t("everyMinute"), isClock: false };
  if (step !== undefined && (minutes[0] === 0 || minutes.length > MOST_TIMES))
    return { text: stepWords(step, minutes), isClock: false };
  return { text: t("everyHourAt", { minutes: past }), isClock: false };
}

const stepWords = (step: number, [first = 0]: readonly number[]): string =>
  first === 0 ? t("everyMinutes", { n: step }) : t("everyMinutesFrom", { n: step, first: two(first) });

/** Names of weekdays, 0 = Sunday, and of months, 1 = January. */
export const weekdayName = (day: number, width: "long" | "short" = "long"): string =>
  new Intl.DateTimeFormat(language.value, { weekday: width, timeZone: "UTC" }).format(Date.UTC(2023, 0, 1 + day));
const monthName = (month: number): string =>
  new Intl.DateTimeFormat(language.value, { month: "long", timeZone: "UTC" }).format(Date.UTC(2023, month - 1, 1));

function weekWords(weekdays: readonly number[]): string {
  const key = weekdays.join();
  if (key === "1,2,3,4,5") return t("weekdays");
  if (key === "0,6") return t("weekend");
  return list(
    [...weekdays.filter((day) => day > 0), ...weekdays.filter((day) => day === 0)].map((day) => weekdayName(day)),
  );
}

function dateWords(trigger: Trigger): string {
  const [days, months, weekdays] = [
    numbersOf(trigger["days"]),
    numbersOf(trigger["months"]),
    numbersOf(trigger["weekdays"]),
  ];
  const ofMonths = list(months.map(monthName));
  const named = list(
    [...days.filter((day) => day > 0), ...days.filter((day) => day < 0)].map((day) =>
      day === -1 ? t("lastDay") : day < 0 ? t("lastDays", { n: -day - 1 }) : String(day),
    ),
  );
  const dated =
    days.length > 0
      ? months.length > 0
        ? t("dayOfMonths", { days: named, months: ofMonths })
        : t("dayOf", { days: named })
      : months.length > 0
        ? t("inMonths", { months: ofMonths })
        : "";
  if (weekdays.length === 0 || weekdays.length === 7) return dated;
  return dated ? t("andWeekday", { days: dated, weekdays: weekWords(weekdays) }) : weekWords(weekdays);
}

function patternWords(trigger: Trigger): string {
  const time = timeWords(numbersOf(trigger["hours"]), numbersOf(trigger["minutes"]));
  const date = dateWords(trigger);
  const text = time.isClock
    ? t("dated", { date: date || t("everyDay"), time: time.text })
    : date
      ? t("timed", { time: time.text, date })
      : time.text;
  const years = numbersOf(trigger["years"]);
  const dated = years.length > 0 ? t("ofYears", { text, years: list(years.map(String)) }) : text;
  const zone = trigger["timezone"];
  if (typeof zone !== "string" || zone === "" || zone === timeZone.value) return dated;
  return t("zoned", { text: dated, zone: zoneName(zone) });
}

const epoch = (value: unknown): string => (typeof value === "number" ? exact(value) : "");

function rangeWords({ start, end }: Trigger): string {
  const values = { start: epoch(start), end: epoch(end) };
  return t(start && end ? "range" : start ? "rangeFrom" : "rangeTo", values);
}

const WORDS: Readonly<Record<string, (trigger: Trigger, nameOf: (id: string) => string) => string>> = {
  schedule: patternWords,
  interval: ({ duration: every, start }) =>
    t("interval", { time: duration(Number(every)), start: when(Number(start)) }),
  single: ({ epoch: at }) => t("single", { time: epoch(at) }),
  manual: () => t("manual"),
  magic: () => t("magic"),
  keyboard: ({ keys }) => t("keyboard", { keys: list(Array.isArray(keys) ? keys.map(String) : []) }),
  startup: () => t("startup"),
  catchup: () => t("catchup"),
  nth: ({ every }) => t("nth", { n: Number(every) }),
  range: rangeWords,
  blackout: ({ start, end }) => t("blackout", { start: epoch(start), end: epoch(end) }),
  delay: ({ duration: by }) => t("delay", { time: duration(Number(by)) }),
  precision: ({ seconds }) => t("precision", { seconds: list(numbersOf(seconds).map((one) => number(one))) }),
  quiet: () => t("quiet"),
  plugin: ({ plugin_id }, nameOf) => t("plugin", { name: nameOf(String(plugin_id ?? "")) }),
};

/** A trigger in words; for an unknown type, its name. */
export function triggerWords(trigger: Trigger, nameOf: (id: string) => string = (id) => id): string {
  const words = Object.hasOwn(WORDS, trigger.type) ? WORDS[trigger.type] : undefined;
  return words ? words(trigger, nameOf) : trigger.type;
}

const LAUNCHING: ReadonlySet<string> = new Set(["schedule", "interval", "single"]);
/** True for an enabled trigger that launches jobs by the clock. */
export const isByClock = ({ type, enabled }: Trigger): boolean => Boolean(enabled) && LAUNCHING.has(type);

/** When an event runs, in one line: its enabled triggers that start runs by the clock. */
export function scheduleWords(triggers: readonly Trigger[]): string {
  const told = triggers.filter(isByClock).map((trigger) => triggerWords(trigger));
  return told.length > 0 ? told.join("; ") : t("never");
}
