import { jobState } from "../../../data/jobs/job-state.ts";
import type { StateName } from "../../../parts/basic/basic.tsx";

/** Members of a job that grouping reads. */
export interface FinishedJob {
  readonly id?: string | undefined;
  readonly event?: string | undefined;
  readonly code?: unknown;
  readonly elapsed?: number | undefined;
  readonly completed?: number | undefined;
}

export interface JobGroup<Job extends FinishedJob = FinishedJob> {
  readonly event: string;
  /** Newest first. */
  readonly jobs: readonly Job[];
  readonly failed: number;
  readonly worst: StateName;
}

/** From worst to best, so that 500 good runs do not hide a failed one. */
const SEVERITY: readonly StateName[] = ["crit", "fail", "gone", "warn", "run", "wait", "abort", "ack", "hush", "ok"];
const BAD: ReadonlySet<StateName> = new Set<StateName>(["crit", "fail"]);

const stateOf = (job: FinishedJob): StateName => jobState({ ...job, final: true });
const rank = (state: StateName): number => SEVERITY.indexOf(state);

/** Groups jobs by event. Worst event first, then the one with more failures, then the newer one. */
export function groupsOf<Job extends FinishedJob>(jobs: readonly Job[]): readonly JobGroup<Job>[] {
  const groups = [...Map.groupBy(jobs, (job) => job.event ?? "")].map(([event, own]): JobGroup<Job> => {
    const states = own.map(stateOf);
    const worst = states.reduce((left, right) => (rank(right) < rank(left) ? right : left));
    return { event, jobs: own, failed: states.filter((state) => BAD.has(state)).length, worst };
  });
  const newest = ({ jobs: [first] }: JobGroup<Job>): number => first?.completed ?? 0;
  return groups.toSorted(
    (left, right) => rank(left.worst) - rank(right.worst) || right.failed - left.failed || newest(right) - newest(left),
  );
}
