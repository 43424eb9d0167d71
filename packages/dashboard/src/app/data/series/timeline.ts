import type { Values } from "../../parts/plot/geometry/drawing.ts";
import type { Unit } from "../../parts/plot/unit.ts";
import { api } from "../calls/session.ts";

/** Readings of a server in a range of time. */
export interface Timeline {
  readonly times: readonly number[];
  /** Seconds between two times; each value is an average over that long. */
  readonly step: number;
  /** Readings of each monitor at these times; null where there is none. */
  readonly monitors: Readonly<Record<string, Values>>;
}

/** Lists of the storage, the finest first, each with the longest range in seconds that it is used for. */
const LISTS = [
  { sys: "hourly", step: 60, longest: 13 * 3600 },
  { sys: "daily", step: 120, longest: 36 * 3600 },
  { sys: "monthly", step: 3600, longest: 60 * 86_400 },
  { sys: "yearly", step: 43_200, longest: Number.POSITIVE_INFINITY },
] as const;

/** The finest list that answers at most two points a pixel and is no finer than the readings, which are `every` seconds apart. */
export const listFor = (from: number, to: number, every = 0): (typeof LISTS)[number] =>
  LISTS.find(({ longest, step }) => to - from <= longest && step >= every) ?? LISTS[3];

export async function readTimeline(
  ask: {
    readonly server: string;
    readonly from: number;
    readonly to: number;
    /** Absent: all monitors. */
    readonly monitors?: readonly string[];
  },
  options: { readonly signal?: AbortSignal } = {},
): Promise<Timeline> {
  const { server, from, to, monitors } = ask;
  const { sys, step } = listFor(from, to);
  const limit = Math.ceil((to - from) / step) + 1;
  const date = Math.max(0, Math.floor(from / step) * step);
  const { columns } = await api.getHistoricalMonitorData(
    { server, sys, date, limit, shape: "columns", ...(monitors ? { monitors: [...monitors] } : {}) },
    options,
  );
  return timelineOf(columns, step);
}

interface Asked {
  readonly id: string;
  /** Interval of the check in seconds. */
  readonly every: number;
}

/** Results of a check in a range of time: `ms`, `up` (0 to 1), `days_left`. */
export async function readCheckTimeline(
  { check: { id, every }, from, to }: { readonly check: Asked; readonly from: number; readonly to: number },
  options: { readonly signal: AbortSignal },
): Promise<Timeline> {
  const { sys, step } = listFor(from, to, every);
  const limit = Math.ceil((to - from) / step) + 1;
  const date = Math.max(0, Math.floor(from / step) * step);
  const { columns } = await api.getCheckTimeline({ id, sys, date, limit }, options);
  return timelineOf(columns, step);
}

interface Columns {
  readonly date: number;
  readonly length: number;
  readonly monitors: Timeline["monitors"];
}

export const timelineOf = ({ date, length, monitors }: Columns = NOTHING, step: number): Timeline => ({
  step,
  monitors,
  times: Array.from({ length }, (_, at) => date + at * step),
});
const NOTHING: Columns = { date: 0, length: 0, monitors: {} };

/** Readings of one monitor; null at each time when it reported nothing. */
export const readingsOf = ({ times, monitors }: Timeline, monitor: string): Values =>
  Object.hasOwn(monitors, monitor) ? (monitors[monitor] ?? []) : times.map(() => null);

/** Members of a monitor that pages use. */
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
