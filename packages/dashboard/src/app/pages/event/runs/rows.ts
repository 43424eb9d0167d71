import type { LastRun } from "../../../data/jobs/last-runs.ts";

/** A finished job. `now` is the Unix second that it was due, if the scheduler launched it. */
export interface PastJob extends LastRun {
  readonly now?: number;
  readonly started?: number;
  readonly source?: string;
  readonly username?: string;
  readonly server?: string;
}

/** A job, or consecutive due minutes without a job. */
export type RunRow =
  | { readonly kind: "job"; readonly at: number; readonly job: PastJob }
  | { readonly kind: "missed"; readonly at: number; readonly from: number; readonly count: number };

const minuteOf = (epoch: number): number => Math.floor(epoch / 60);

/**
 * The past of an event, newest first: its jobs, with the missed due minutes between them. `due`: when the event should
 * have run. `launched`: when active jobs were due; those minutes were not missed.
 */
export function runRows(
  jobs: readonly PastJob[],
  due: readonly number[],
  launched: readonly number[],
): readonly RunRow[] {
  const met = new Set([...jobs.map(({ now, started = 0 }) => now ?? started), ...launched].map(minuteOf));
  const missed = due.filter((at) => !met.has(minuteOf(at))).map((at) => ({ at, job: undefined }));
  const done = jobs.map((job) => ({ at: job.now ?? job.started ?? job.completed, job }));
  const rows: RunRow[] = [];
  for (const { at, job } of [...done, ...missed].sort((left, right) => right.at - left.at)) {
    const last = rows.at(-1);
    if (job) rows.push({ kind: "job", at, job });
    else if (last?.kind === "missed") rows[rows.length - 1] = { ...last, from: at, count: last.count + 1 };
    else rows.push({ kind: "missed", at, from: at, count: 1 });
  }
  return rows;
}

/** Counts and durations of runs. The usual duration is the median. */
export function figuresOf(jobs: readonly PastJob[]) {
  const times = jobs.flatMap(({ elapsed }) => (elapsed === undefined ? [] : [elapsed])).sort((a, b) => a - b);
  return {
    count: jobs.length,
    ok: jobs.filter(({ code }) => code === 0 || code === undefined || code === false).length,
    usual: times[Math.floor(times.length / 2)],
    longest: times.at(-1),
  };
}
