import { isSystemTag } from "../../../directory/tags/rules.ts";
import { filterMembers } from "../../../lib/json/filter-members.ts";
import { CALL_MEMBERS } from "../../../wire/entries/launch-members.ts";
import { type ActiveJob, type FinalJob, Job } from "../model.ts";

type Members = Readonly<Record<string, unknown>>;

/** The members of a call, without credentials. */
export const withoutCredentials = (input: Members): Record<string, unknown> =>
  filterMembers(input, (member) => !CALL_MEMBERS.has(member));

/** Progress of an active job, which only the engine may set: with a change, the job might start twice or never end. */
const ENGINE: ReadonlySet<string> = new Set([
  ...["state", "final", "complete", "remote", "suspended", "retried", "started", "updated", "until"],
  ...["log_file_size", "event", "workflow", "parent", "position"],
]);
/** Members of the details of an active job. */
const DETAILS: ReadonlySet<string> = new Set(["input", "data", "files", "activity", "workflowData", "serverData"]);

/** The record with an administrator's changes, or why they are refused. */
export type Changed<T> = { readonly record: T } | { readonly fault: string };

export function changeActive(record: ActiveJob, members: Members): Changed<ActiveJob> {
  const fixed = Object.keys(members).find((member) => ENGINE.has(member));
  if (fixed !== undefined) return { fault: `The engine owns this member of an active job: ${fixed}` };
  const entries = Object.entries(members);
  const job = { ...record.job, ...Object.fromEntries(entries.filter(([member]) => !DETAILS.has(member))) };
  const details = { ...record.details, ...Object.fromEntries(entries.filter(([member]) => DETAILS.has(member))) };
  const fault = shapeFault({ ...details, ...job });
  return fault === undefined ? { record: { ...record, job: job as Job, details } } : { fault };
}

export function changeFinal(stored: FinalJob, members: Members): Changed<FinalJob> {
  const record = { ...stored, ...members, id: stored.id, final: true, state: "complete" } as FinalJob;
  const fault = shapeFault(record);
  return fault === undefined ? { record } : { fault };
}

/** A malformed record would break all its readers. */
function shapeFault(record: Members): string | undefined {
  const lists = ["activity", "files"].find((name) => record[name] !== undefined && !Array.isArray(record[name]));
  if (lists !== undefined) return `Malformed member: ${lists}`;
  const [issue] = Job.safeParse(record).error?.issues ?? [];
  return issue && `Malformed member: ${issue.path.join(".")}`;
}

/** The new tags of a finished job; system tags are kept, whether or not they were sent. */
export const replacedTags = (stored: readonly string[], sent: readonly string[]): string[] => [
  ...new Set([...sent.filter((tag) => !isSystemTag(tag)), ...stored.filter(isSystemTag)]),
];
