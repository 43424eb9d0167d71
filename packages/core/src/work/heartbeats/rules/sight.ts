import type { Beat, BeatSight, Heartbeat } from "../model.ts";

/** Seconds by which a success may be late. */
const GRACE_SEC = 300;

/** What alerts on a heartbeat see of it. `now` is Unix seconds. */
export function sightOf(heartbeat: Heartbeat, beat: Beat | undefined, now: number): BeatSight {
  const { id, title, category, tags } = heartbeat;
  const { from, last, success, failed = false, exit, runs = [] } = beat ?? {};
  const since = Math.max(success ?? 0, from ?? now);
  const oldest = Math.min(now, ...runs.map((run) => run.since));
  return {
    beat: {
      new: last === undefined,
      late_sec: last === undefined ? 0 : beyond(now - since, heartbeat.every + (heartbeat.grace ?? GRACE_SEC)),
      overtime_sec: heartbeat.finish_within ? beyond(now - oldest, heartbeat.finish_within) : 0,
      ...{ failed, exit, last, last_success: success, running: runs.length },
    },
    heartbeat: { id, title, category, tags: tags ?? [] },
  };
}

const beyond = (value: number, most: number): number => Math.max(0, Math.floor(value - most));
