import { filterMembers } from "../../../../lib/json/filter-members.ts";
import { type ResultCode, resultCode } from "../../finish/rules/result-code.ts";
import { addMeta } from "../../lifecycle/rules/meta.ts";
import type { FinalJob, MetaRow } from "../../model.ts";
import { acceptUpdate } from "./merge-update.ts";

type Members = Readonly<Record<string, unknown>>;

const WARNING = "Job was aborted, but its server reported a result later";
const AGAIN = "The server reported another result later, and the first one stands";

/** Members of a final update that are accepted even after the job has ended. */
const LATE: ReadonlySet<string> = new Set(["perf", "table", "html", "cpu", "mem", "progress"]);

export interface LateTools {
  readonly row: (text: string) => MetaRow;
  /** Expands macros of content. */
  readonly expand: (text: string) => string;
}

/** True when a job ended without its agent's report, which only happens to aborted jobs. */
export const isUnreported = ({ code, late }: FinalJob): boolean => code === "abort" && !late;

/**
 * The stored record after the agent's late final update (docs/contract/jobs.md#the-final-update). Undefined when there is nothing
 * new: the agent reports that it aborted the job, or the record already contains everything. A result that was already reported
 * is kept, because actions, counters and retries were based on it.
 */
export function lateUpdate(stored: FinalJob, update: unknown, { row, expand }: LateTools): FinalJob | undefined {
  const { job, details } = acceptUpdate({ job: stored, details: stored }, update, expand);
  const code = resultCode("code" in job ? job.code : wordOf(update));
  if (code === "abort") return undefined;
  const brought = broughtBy(job, details);
  const { activity = [] } = stored;
  if (isUnreported(stored)) {
    const { activity: rows } = addMeta({ activity }, [row(reportedText(code))]);
    return { ...stored, ...brought, ...asWarning(job.description), activity: rows };
  }
  const texts = [reportedText(code), `${AGAIN} (code ${code})`];
  const isKnown = code === stored.code || activity.some(({ msg }) => texts.includes(msg));
  if (isKnown && Object.keys(brought).length === 0) return undefined;
  return { ...stored, ...brought, ...(isKnown ? {} : addMeta({ activity }, [row(`${AGAIN} (code ${code})`)])) };
}

const reportedText = (code: ResultCode): string => `${WARNING} (code ${code})`;

/** Output that differs from the stored one. */
const broughtBy = (job: Members, { data, files }: Members): Members => ({
  ...filterMembers(job, (member) => LATE.has(member)),
  ...(data === undefined ? {} : { data }),
  ...(Array.isArray(files) ? { files } : {}),
});

const asWarning = (said: unknown): Pick<FinalJob, "code" | "description"> & { readonly late: true } => ({
  code: "warning",
  description: typeof said === "string" && said !== "" ? `${WARNING}: ${said}` : `${WARNING}.`,
  late: true,
});

/** The record with the satellite's own log at the end of its log, replacing the part that was merged before. */
export function withLateLog(job: FinalJob, text: string): FinalJob {
  const { output: kept } = job;
  if (text === "" || typeof kept !== "string") return job;
  const merged = kept.indexOf(text.slice(0, text.indexOf("\n") + 1));
  const output = merged < 0 ? kept : kept.slice(0, merged);
  const whole = output === "" || output.endsWith("\n") ? output + text : `${output}\n${text}`;
  return { ...job, output: whole, log_file_size: Buffer.byteLength(whole) };
}

/** The code as it was sent; an accepted update contains it only if it differs from the stored one. */
const wordOf = (update: unknown): unknown => (update as { code?: unknown } | null | undefined)?.code;
