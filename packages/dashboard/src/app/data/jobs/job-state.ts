import type { StateName } from "../../parts/basic/basic.tsx";

/** Members of a job that pages read; complete jobs have more. */
export interface JobLike {
  readonly id?: string | undefined;
  readonly state?: string | undefined;
  readonly code?: unknown;
  readonly complete?: boolean | undefined;
  readonly final?: boolean | undefined;
  readonly completed?: number | undefined;
}

const WAITING: ReadonlySet<string> = new Set([
  "queued",
  "start_delay",
  "retry_delay",
  "starting",
  "ready",
  "suspended",
]);

/** The state of a job as a mark. Pages word themselves what a job waits for. */
export function jobState(job: JobLike): StateName {
  const { state = "", code } = job;
  if (!isOver(job)) return WAITING.has(state) ? "wait" : "run";
  if (code === "abort") return "abort";
  if (code === "warning") return "warn";
  if (code === "critical") return "crit";
  return code === 0 || code === undefined || code === false ? "ok" : "fail";
}

export const isOver = ({ final, complete, completed }: JobLike): boolean =>
  final === true || complete === true || completed !== undefined;
