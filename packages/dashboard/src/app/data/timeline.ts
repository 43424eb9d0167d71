import type { Unit } from "../parts/plot/unit.ts";
import { api } from "./session.ts";

/** Readings of one server between two times. */
export interface Timeline {
  readonly times: readonly number[];
  /** Seconds between two rows: values are averages of that long. */
  readonly step: number;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** Lists of the store, the finest first, and the longest stretch that is still asked of each. */
const LISTS = [
  { sys: "hourly", step: 60, longest: 13 * 3600 },
  { sys: "daily", step: 120, longest: 36 * 3600 },
  { sys: "monthly", step: 3600, longest: 60 * 86_400 },
  { sys: "yearly", step: 43_200, longest: Number.POSITIVE_INFINITY },
] as const;

/** The finest list that answers at most two points a pixel. */
export const listFor = (from: number, to: number): (typeof LISTS)[number] =>
  LISTS.find(({ longest }) => to - from <= longest) ?? LISTS[3];

export async function readTimeline(
  ask: { readonly server: string; readonly from: number; readonly to: number },
  options: { readonly signal?: AbortSignal } = {},
): Promise<Timeline> {
  const { server, from, to } = ask;
  const { sys, step } = listFor(from, to);
  const limit = Math.ceil((to - from) / step) + 1;
  const date = Math.max(0, Math.floor(from / step) * step);
  const { rows } = await api.getHistoricalMonitorData({ server, sys, date, limit }, options);
  return timelineOf(rows, step);
}

export function timelineOf(given: readonly Readonly<Record<string, unknown>>[], step: number): Timeline {
  const timeOf = (row: Readonly<Record<string, unknown>>): number => Number(row["date"] ?? row["epoch"] ?? 0);
  const rows = given.filter((row) => timeOf(row) > 0);
  return { rows, step, times: rows.map(timeOf) };
}

/** What one monitor read; null where nothing was reported. */
export const readingsOf = ({ rows }: Timeline, monitor: string): (number | null)[] =>
  rows.map((row) => (typeof row[monitor] === "number" ? (row[monitor] as number) : null));

/** What pages read of a monitor. */
export interface Measured {
  readonly data_type?: string | undefined;
  readonly type?: string | undefined;
  readonly suffix?: unknown;
}

const KINDS: ReadonlySet<string> = new Set(["integer", "float", "bytes", "seconds", "milliseconds"]);

export function unitOf({ data_type: type, type: quick, suffix }: Measured): Unit {
  const kind = type ?? quick ?? "float";
  return { kind: (KINDS.has(kind) ? kind : "float") as Unit["kind"], suffix: suffix ? String(suffix) : undefined };
}
