import type { FinalJob, MetaRow } from "../model.ts";
import { acceptUpdate } from "./merge-update.ts";
import { addMeta } from "./meta.ts";
import { resultCode } from "./result-code.ts";

const WARNING = "Job was aborted, but its server reported a result later";

/** Members of a final update that a record which ended before may still take in. */
const LATE: ReadonlySet<string> = new Set(["code", "description", "perf", "table", "html", "cpu", "mem", "progress"]);

/**
 * The stored record after the agent's own final update (part 31 §5.1). Undefined when it brings nothing new, so that a
 * repeat changes nothing.
 */
export function lateUpdate(stored: FinalJob, update: unknown, row: (text: string) => MetaRow): FinalJob | undefined {
  if (stored["late"]) return undefined;
  const accepted = acceptUpdate({ job: stored, details: stored }, update, (text) => text);
  const members = Object.fromEntries(Object.entries(accepted.job).filter(([member]) => LATE.has(member)));
  const code = resultCode("code" in members ? members["code"] : stored.code);
  const wasAborted = stored.code === "abort";
  if (Object.keys(members).length === 0 && !wasAborted) return undefined;
  if (wasAborted && code === "abort") return undefined;
  const { data, files } = accepted.details;
  const { activity } = addMeta({ activity: stored.activity ?? [] }, [row(`${WARNING} (code ${code})`)]);
  return {
    ...stored,
    ...members,
    ...(data === undefined ? {} : { data }),
    ...(Array.isArray(files) ? { files } : {}),
    code: wasAborted ? "warning" : code,
    ...(wasAborted ? { description: `${WARNING}: ${String(members["description"] ?? "")}`.trim() } : {}),
    activity,
    late: true,
  };
}
