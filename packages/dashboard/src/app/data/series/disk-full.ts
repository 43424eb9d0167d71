import { createQueue } from "../calls/queue.ts";
import { api } from "../calls/session.ts";
import { createShared } from "./shared.ts";
import { readingsOf, timelineOf } from "./timeline.ts";

export interface Reading {
  /** Unix seconds. */
  readonly at: number;
  /** Percent, 0 to 100. */
  readonly value: number;
}

const DAY = 86_400;
/** Seconds ahead beyond which a forecast means nothing. */
const FARTHEST = 365 * DAY;
/** Least share of the variation that the line must explain (R²): a disk that goes up and down has no trend. */
const LEAST_FIT = 0.5;
const LEAST_READINGS = 6;

/**
 * When a disk will be full, in Unix seconds: the line that fits the readings best, continued from the newest reading. Undefined
 * where use does not grow, or where the readings follow no line.
 */
export function fullAt(readings: readonly Reading[]): number | undefined {
  const last = readings.at(-1);
  if (!last || readings.length < LEAST_READINGS) return undefined;
  const meanAt = mean(readings.map(({ at }) => at));
  const meanValue = mean(readings.map(({ value }) => value));
  const [mixed, wide, high] = readings.reduce<[number, number, number]>(
    ([xy, xx, yy], { at, value }) => {
      const [x, y] = [at - meanAt, value - meanValue];
      return [xy + x * y, xx + x * x, yy + y * y];
    },
    [0, 0, 0],
  );
  if (wide === 0 || high === 0) return undefined;
  const slope = mixed / wide;
  const fit = (mixed * mixed) / (wide * high);
  if (slope <= 0 || fit < LEAST_FIT) return undefined;
  const seconds = Math.max(0, 100 - last.value) / slope;
  return seconds > FARTHEST ? undefined : last.at + seconds;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Readings of a week by the hour; of a server younger than half a day by the minute. */
async function readUse(server: string, monitor: string, signal: AbortSignal): Promise<Reading[]> {
  for (const [sys, step, limit] of [
    ["monthly", 3600, 168],
    ["hourly", 60, 720],
  ] as const) {
    const form = { shape: "columns" as const, monitors: [monitor] };
    const { columns } = await api.getLatestMonitorData({ server, sys, limit, ...form }, { signal });
    const timeline = timelineOf(columns, step);
    const values = readingsOf(timeline, monitor);
    const readings = timeline.times.flatMap((at, index) => {
      const value = values[index];
      return typeof value === "number" ? [{ at, value }] : [];
    });
    if (readings.length >= 12) return readings;
  }
  return [];
}

/** Asks about three servers at a time, and keeps each answer for ten minutes. */
const queue = createQueue(3);
const shared = createShared<number | undefined>({ ms: 600_000, most: 1000 });

/** When the disk that a monitor reads will be full, in Unix seconds. */
const diskFullAt = (server: string, monitor: string, signal: AbortSignal): Promise<number | undefined> =>
  shared(`${server} ${monitor}`, signal, () => queue(async () => fullAt(await readUse(server, monitor, signal))));

/** When the first of a server's disks will be full, among all that monitors read, in Unix seconds. */
export async function diskFirstFull(server: string, monitors: readonly string[], signal: AbortSignal) {
  const times = await Promise.all(monitors.map((monitor) => diskFullAt(server, monitor, signal)));
  const known = times.filter((time) => time !== undefined);
  return known.length > 0 ? Math.min(...known) : undefined;
}
