import type { LogFields } from "@signalbox/core/adapter";
import type { LogLevel } from "./json-logger.ts";
import { clip, plain } from "./plain-fields.ts";

/** The columns that are the same in every line of a process. */
export interface LineContext {
  readonly hostname: string;
  readonly pid: number;
  readonly timeZone: string | undefined;
}

export interface LogEntry {
  /** Unix seconds. */
  readonly time: number;
  readonly level: LogLevel;
  readonly component: string;
  readonly fields: LogFields;
  readonly message: string;
}

const MAX_MESSAGE = 4096;
const MAX_DATA = 12_288;
const CODES: Readonly<Record<LogLevel, string>> = { debug: "9", info: "1", warn: "warn", error: "error" };

/**
 * One line of bracketed columns: epoch, date, host, process, component, category, code, message, data. Line breaks become spaces,
 * and outside the data, two adjacent brackets are separated, so that the columns can be told apart.
 */
export function lineOf(entry: LogEntry, { hostname, pid, timeZone }: LineContext): string {
  const { time, level, component, message } = entry;
  const { component: _named, code, ...data } = entry.fields;
  const isError = level === "error" || level === "warn";
  // A line about a change: its code is the action.
  const isTransaction = component === "Transaction" && !isError;
  const shown = (isError || isTransaction) && typeof code === "string" ? code : CODES[level];
  const category = isError ? "error" : isTransaction ? "transaction" : "debug";
  const cells = [time.toFixed(3), localTime(time, timeZone), hostname, String(pid), component];
  const columns = [...cells, category, shown, clip(String(message), MAX_MESSAGE)];
  return `${columns.map((cell) => `[${cellOf(cell)}]`).join("")}[${dataOf(data)}]\n`;
}

/** Removes control characters, which could control the terminal of a reader. */
const cellOf = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").replaceAll("][", "] [");

function dataOf(data: LogFields): string {
  const json = JSON.stringify(plain(data, 0, new Set()));
  if (json === "{}") return "";
  return json.length <= MAX_DATA ? json : JSON.stringify({ truncated: json.length, fields: clip(json, MAX_DATA >> 2) });
}

/** Local date and time: "2026-11-24 13:16:25". */
function localTime(time: number, timeZone: string | undefined): string {
  // The Swedish date format is the one of ISO 8601.
  return timeZone === undefined ? machineTime(time) : formatOf(timeZone).format(time * 1000);
}

/** Local time of the machine, without a date formatter: the first one of a process takes 8 MB. */
function machineTime(time: number): string {
  const wallMs = time * 1000 - new Date(time * 1000).getTimezoneOffset() * 60_000;
  return new Date(wallMs).toISOString().slice(0, 19).replace("T", " ");
}

/** The local day: "2026-11-24". */
export const localDay = (time: number, timeZone: string | undefined): string => localTime(time, timeZone).slice(0, 10);

const formats = new Map<string, Intl.DateTimeFormat>();

/** Caches the format, because creating one takes longer than using it a hundred times. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" });
  formats.set(timeZone, format);
  return format;
}
