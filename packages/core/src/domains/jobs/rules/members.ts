import type { Action, ActiveJob, Job } from "../model.ts";

export function withoutMembers(record: ActiveJob, members: readonly string[]): ActiveJob {
  const job = Object.fromEntries(Object.entries(record.job).filter(([member]) => !members.includes(member)));
  return { ...record, job: job as Job };
}

/** The job without its suspension. */
export function goingOn(record: ActiveJob): ActiveJob {
  if (!record.job["suspended"]) return record;
  const { job, ...rest } = withoutMembers(record, ["suspended"]);
  const actions = (job.actions ?? []).map(({ active: _waiting, ...action }) => action as Action);
  return { ...rest, job: { ...job, actions } };
}
