import { filterMembers } from "../../../../lib/json/filter-members.ts";
import { resultCode } from "../../finish/rules/result-code.ts";
import { addMeta } from "../../lifecycle/rules/meta.ts";
import type { FinalJob, MetaRow } from "../../model.ts";
import { acceptUpdate } from "./merge-update.ts";

const WARNING = "Job was aborted, but its server reported a result later";

/** Members of a final update that a record which ended before may still take in. */
const LATE: ReadonlySet<string> = new Set(["perf", "table", "html", "cpu", "mem", "progress"]);

export interface LateTools {
  readonly row: (text: string) => MetaRow;
  /** Fills in macros of content. */
  readonly expand: (text: string) => string;
}

/** True when a final update may still change an ended job: only an abort ends a job without its agent's report. */
export const mayTakeLate = ({ code, late }: FinalJob): boolean => code === "abort" && !late;

/**
 * The stored record after the agent's own final update (docs/contract/jobs.md#the-final-update). Undefined when there
 * is nothing to tell: the job did not end as aborted, the agent says the same, or the late result is in the record
 * already.
 */
export function lateUpdate(stored: FinalJob, update: unknown, { row, expand }: LateTools): FinalJob | undefined {
  if (!mayTakeLate(stored)) return undefined;
  const { job, details } = acceptUpdate({ job: stored, details: stored }, update, expand);
  const code = resultCode("code" in job ? job.code : wordOf(update));
  if (code === "abort") return undefined;
  const taken = filterMembers(job, (member) => LATE.has(member));
  const { data, files } = details;
  const { activity } = addMeta({ activity: stored.activity ?? [] }, [row(`${WARNING} (code ${code})`)]);
  const said = job.description;
  return {
    ...stored,
    ...taken,
    ...(data === undefined ? {} : { data }),
    ...(Array.isArray(files) ? { files } : {}),
    code: "warning",
    description: typeof said === "string" && said !== "" ? `${WARNING}: ${said}` : `${WARNING}.`,
    activity,
    late: true,
  };
}

/** The record with the satellite's own log at the end of its log, in place of the part merged before. */
export function withLateLog(job: FinalJob, text: string): FinalJob {
  const { output: kept } = job;
  if (text === "" || typeof kept !== "string") return job;
  const merged = kept.indexOf(text.slice(0, text.indexOf("\n") + 1));
  const output = merged < 0 ? kept : kept.slice(0, merged);
  const whole = output === "" || output.endsWith("\n") ? output + text : `${output}\n${text}`;
  return { ...job, output: whole, log_file_size: Buffer.byteLength(whole) };
}

/** The code that was sent when it is the known one. */
const wordOf = (update: unknown): unknown => (update as { code?: unknown } | null | undefined)?.code;
