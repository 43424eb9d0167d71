import type { Beat, BeatSight, Heartbeat } from "../model.ts";
import type { Times } from "./times.ts";

/** Seconds by which a success may be late by default. */
const GRACE_SEC = 300;

/** Values of a heartbeat that alert expressions read. `now` is Unix seconds. */
export function sightOf(heartbeat: Heartbeat, beat: Beat | undefined, now: number, times: Times): BeatSight {
  const { id, title, category, tags, server, grace, start_grace } = heartbeat;
  const { last, success, failed = false, exit, runs = [] } = beat ?? {};
  const oldest = Math.min(now, ...runs.map((run) => run.since));
  const isNew = last === undefined;
  const { from, begun = success } = beat ?? {};
  return {
    beat: {
      new: isNew,
      late_sec: isNew ? 0 : beyond(now - dueOf(success, from ?? now, times), grace ?? GRACE_SEC),
      not_started_sec:
        isNew || typeof start_grace !== "number" ? 0 : beyond(now - dueOf(begun, from ?? now, times), start_grace),
      overtime_sec: heartbeat.finish_within ? beyond(now - oldest, heartbeat.finish_within) : 0,
      failed,
      exit,
      last,
      last_success: success,
      running: runs.length,
    },
    heartbeat: { id, title, category, tags: tags ?? [], ...(server ? { server } : {}) },
  };
}

/**
 * Whether a heartbeat may seem late only because its calls could not be taken: `awakeSec` seconds ago a break ended in which no
 * engine ran, and calls that were due before have the grace from then on. This grace is bounded: frequent restarts would otherwise
 * hold an alert back for ever where the grace is long.
 */
export function mayHaveCalled(heartbeat: Heartbeat, { beat }: BeatSight, awakeSec: number): boolean {
  const { grace, start_grace, finish_within } = heartbeat;
  const most = grace ?? GRACE_SEC;
  const isFromBefore = (late: number, allowed: number): boolean => late > 0 && late + allowed > awakeSec;
  return (
    awakeSec < Math.min(most, GRACE_SEC) &&
    (isFromBefore(beat.late_sec, most) ||
      isFromBefore(beat.not_started_sec, start_grace ?? 0) ||
      isFromBefore(beat.overtime_sec, finish_within ?? 0))
  );
}

/** Time of the next required sign; signs from before judging began do not count. */
const dueOf = (sign: number | undefined, from: number, times: Times): number =>
  sign === undefined || sign < from ? times.after(from) : times.afterSign(sign);

const beyond = (value: number, most: number): number => Math.max(0, Math.floor(value - most));
