import { filterMembers } from "../../../lib/json/filter-members.ts";
import type { Action } from "../../../wire/entries/actions-and-limits.ts";
import type { ActiveJob, Job } from "../model.ts";

export function withoutMembers(record: ActiveJob, members: readonly string[]): ActiveJob {
  if (!members.some((member) => member in record.job)) return record;
  const job = filterMembers(record.job, (member) => !members.includes(member));
  return { ...record, job: job as Job };
}

/** The job without its suspension. */
export function goingOn(record: ActiveJob): ActiveJob {
  if (!record.job.suspended) return record;
  const { job, ...rest } = withoutMembers(record, ["suspended"]);
  const actions = (job.actions ?? []).map(({ active: _waiting, ...action }) => action as Action);
  return { ...rest, job: { ...job, actions } };
}
