import { computed, signal } from "@preact/signals";
import { language } from "./catalogue.ts";

/** The zone in which all times are shown. */
export const timeZone = signal(Intl.DateTimeFormat().resolvedOptions().timeZone);
/** Unix seconds by the server's clock; the frame advances it once a second. */
export const now = signal(Date.now() / 1000);

const made = new Map<string, Intl.DateTimeFormat | Intl.NumberFormat>();

function dates(name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${name} ${language.value} ${timeZone.value}`;
  const found = made.get(key) ?? new Intl.DateTimeFormat(language.value, { ...options, timeZone: timeZone.value });
  made.set(key, found);
  return found as Intl.DateTimeFormat;
}

function numbers(name: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${name} ${language.value}`;
  const found = made.get(key) ?? new Intl.NumberFormat(language.value, options);
  made.set(key, found);
  return found as Intl.NumberFormat;
}

const at = (epoch: number): Date => new Date(epoch * 1000);

/** 09:42 */
export const clock = (epoch: number): string =>
  dates("clock", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(at(epoch));
/** 09:42:16 */
export const clockSeconds = (epoch: number): string =>
  dates("seconds", { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" }).format(at(epoch));
/** 23 Nov, for the time axis. */
export const dayMonth = (epoch: number): string =>
  dates("daymonth", { day: "numeric", month: "short" }).format(at(epoch));
/** Nov 2026 */
export const monthYear = (epoch: number): string =>
  dates("month", { month: "short", year: "numeric" }).format(at(epoch));
/** 02:00 GMT+1, for hours that occur twice. */
export const zonedClock = (epoch: number): string =>
  dates("zoned", { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZoneName: "shortOffset" }).format(
    at(epoch),
  );
/** 23 Nov 2026, 09:42:16 GMT+1, for titles and details. */
export const exact = (epoch: number): string =>
  dates("exact", {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
    timeZoneName: "short",
  }).format(at(epoch));
const dayOnly = (epoch: number): string => dates("dmy", { dateStyle: "short" }).format(at(epoch));

/** In every zone, days begin at a full minute. Working out the day each second would cost more than drawing the times. */
const minute = computed(() => Math.floor(now.value / 60) * 60);
/** The current day, so that times render again when it ends and not each second. */
const today = computed(() => dayOnly(minute.value));
export const isToday = (epoch: number): boolean => dayOnly(epoch) === today.value;

const yearOf = (epoch: number): string => dates("year", { year: "numeric" }).format(at(epoch));
const thisYear = computed(() => yearOf(minute.value));

/** Mon 23 Nov; 23 Nov 2025 of another year */
export const day = (epoch: number): string =>
  yearOf(epoch) === thisYear.value
    ? dates("day", { weekday: "short", day: "numeric", month: "short" }).format(at(epoch)).replace(",", "")
    : dates("date", { dateStyle: "medium" }).format(at(epoch));

/** The time of the day, with the date when that is not today. */
export const when = (epoch: number): string => (isToday(epoch) ? clock(epoch) : `${day(epoch)}, ${clock(epoch)}`);

/** Both ends of a range. The date is shown once when both are on one day, else at both, even if one of them is today. */
export function stretch(from: number, to: number): { readonly from: string; readonly to: string } {
  const dated = (epoch: number): string => `${day(epoch)}, ${clock(epoch)}`;
  return dayOnly(from) === dayOnly(to) ? { from: when(from), to: clock(to) } : { from: dated(from), to: dated(to) };
}

/** Whole numbers below a thousand have the same digits in all languages of the pages, and most numbers are such. */
export const number = (value: number, digits = 0): string =>
  Number.isInteger(value) && Math.abs(value) < 1000
    ? String(value)
    : numbers(`n${digits}`, { maximumFractionDigits: digits }).format(value);
/** Takes 0 to 100: "62 %". */
export const percent = (value: number): string => `${number(value)} %`;

/** Sizes use powers of 1,024, as alert texts, mails and memory sizes do. */
export const SIZES = ["B", "KB", "MB", "GB", "TB"].map((name, power) => [1024 ** power, name] as const);
/** For example "48 MB". */
export function bytes(value: number): string {
  // A value that would round up to 1,024 uses the next unit.
  const [size, name] = SIZES.findLast(([each]) => Math.abs(value) >= each - each / 2048) ?? [1, "B"];
  const shown = value / size;
  return `${number(shown, shown < 10 && size > 1 ? 1 : 0)} ${name}`;
}

/** For example "3 s", "5 min 25 s", "1 h 37 min", "2 d 4 h". */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 1) return seconds > 0 ? `${number(seconds, 1)} s` : "0 s";
  const parts = [
    [Math.floor(whole / 86_400), "d"],
    [Math.floor(whole / 3600) % 24, "h"],
    [Math.floor(whole / 60) % 60, "min"],
    [whole % 60, "s"],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  const shown = parts.slice(first, first + 2).filter(([count]) => count > 0);
  return shown.map(([count, unit]) => `${count} ${unit}`).join(" ");
}

/** Time since then, in full minutes from one minute on. */
export function age(epoch: number): string {
  const seconds = Math.max(0, now.value - epoch);
  return duration(seconds < 60 ? seconds : Math.floor(seconds / 60) * 60);
}

/** Time until then, in full minutes and at least one. */
export const until = (epoch: number): string => duration(Math.max(60, Math.ceil((epoch - now.value) / 60) * 60));

export const list = (items: readonly string[]): string =>
  items.length > 1 ? new Intl.ListFormat(language.value).format(items) : (items[0] ?? "");
export const zoneName = (zone = timeZone.value): string => (zone.split("/").pop() ?? "").replaceAll("_", " ");

/** A text that begins with a capital letter, as the cells of tables do. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
