import type { EveryMinute } from "./schedules.ts";

/** The judged part of a final record. */
export interface ScheduledJob {
  readonly id: string;
  readonly event: string;
  /** The minute it was due. */
  readonly now: number;
  readonly source: string;
  readonly code: unknown;
  readonly description?: string;
  readonly retried?: boolean;
  readonly retry_prev?: string;
}

export interface Evidence {
  readonly schedules: readonly EveryMinute[];
  readonly jobs: readonly ScheduledJob[];
  /** Number of runs by job. */
  readonly runs: ReadonlyMap<string, number>;
  /** First and last minute, both included. */
  readonly from: number;
  readonly to: number;
  /** Minutes without a leader, as noted by the scheduler; only schedules without catch-up may miss them. */
  readonly gaps: readonly { readonly from: number; readonly to: number }[];
}

export interface Verdict {
  readonly minutes: number;
  /** Runs that were due. */
  readonly due: number;
  /** Missed runs within a gap, of events without catch-up. */
  readonly missedByRule: number;
  /** Runs that were under way in a node when it was killed: they ended as lost. */
  readonly lostWithNode: number;
  /** Launches that a killed node had stored but never sent: another attempt replaced them. */
  readonly attempts: number;
  readonly faults: readonly string[];
}

/** Checks that every due minute of every schedule has one launch, and its work was done once. */
export function judge(evidence: Evidence): Verdict {
  const { schedules, jobs, from, to } = evidence;
  const minutes = (to - from) / 60 + 1;
  const all = Array.from({ length: minutes }, (_unused, n) => from + n * 60);
  const byRun = Map.groupBy(jobs, ({ event, now }) => `${event} ${now}`);
  const counts = { missedByRule: 0, lostWithNode: 0 };
  const faults = schedules.flatMap((schedule) =>
    all.flatMap((minute) => {
      const found = byRun.get(`${schedule.id} ${minute}`) ?? [];
      const outcome = outcomeOf(found, { evidence, schedule, minute });
      if (outcome === "missed") counts.missedByRule += 1;
      else if (outcome === "lost") counts.lostWithNode += 1;
      else if (outcome !== "done") return [`${schedule.id} at ${minute}: ${outcome}`];
      return [];
    }),
  );
  const known = new Set(jobs.map(({ id }) => id));
  const strangers = [...evidence.runs.keys()].filter((id) => !known.has(id)).map((id) => `job ${id} ran and is gone`);
  const attempts = jobs.filter(({ retry_prev }) => retry_prev !== undefined).length;
  return { minutes, due: minutes * schedules.length, ...counts, attempts, faults: [...faults, ...strangers] };
}

interface Run {
  readonly evidence: Evidence;
  readonly schedule: EveryMinute;
  readonly minute: number;
}

/** "done", "lost" and "missed" are correct outcomes; anything else is a fault. */
function outcomeOf(found: readonly ScheduledJob[], { evidence, schedule, minute }: Run): string {
  const { gaps, runs } = evidence;
  const launches = found.filter(({ retry_prev }) => retry_prev === undefined);
  if (launches.length === 0) {
    const isGap = gaps.some(({ from, to }) => minute >= from && minute <= to);
    return isGap && !schedule.catchup ? "missed" : "never launched";
  }
  if (launches.length > 1) return `launched ${launches.length} times`;
  const ran = found.reduce((sum, { id }) => sum + (runs.get(id) ?? 0), 0);
  const last = found.find(({ retried }) => !retried);
  if (ran > 1) return `ran ${ran} times`;
  if (schedule.by === "node" && last?.code === "abort" && /was lost/.test(last.description ?? "")) return "lost";
  if (last?.code !== 0) return `ended with ${String(last?.code)}: ${last?.description}`;
  return ran === 1 ? "done" : "succeeded without a run";
}
