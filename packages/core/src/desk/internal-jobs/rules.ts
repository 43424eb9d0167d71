import type { InternalJobRow, InternalJobSpec } from "./model.ts";

/** Most jobs that run at once on one node: each occupies memory, and all share one event loop. */
export const MAX_RUNNING = 50;
const MAX_REPORT = 100_000;
const MAX_STATS = 100;
/** Most figures in the sentence about the end of a job; the row itself has all of them. */
const MAX_TOLD = 10;

/** A job that has just begun. */
export const rowOf = (spec: InternalJobSpec, id: string, started: number): InternalJobRow => ({
  id,
  title: spec.title,
  type: spec.type,
  username: spec.username,
  started,
  progress: 0,
  stats: {},
  params: { ...spec.params },
  quiet: spec.quiet ?? false,
  ...(spec.email ? { email: spec.email } : {}),
});

/** Progress never goes back, and a value that is no number changes nothing. */
export const withProgress = (row: InternalJobRow, share: number): InternalJobRow =>
  share > row.progress ? { ...row, progress: Math.min(1, share) } : row;

export function withStat(row: InternalJobRow, name: string, value: number): InternalJobRow {
  const isKnown = Object.hasOwn(row.stats, name);
  if (!isKnown && Object.keys(row.stats).length >= MAX_STATS) return row;
  return { ...row, stats: { ...row.stats, [name]: value } };
}

/** Appends paragraphs. A report that exceeds its bound is cut and says so. */
export function withReport(row: InternalJobRow, markdown: string): InternalJobRow {
  const before = row.details ?? "";
  if (before.length >= MAX_REPORT) return row;
  const details = before === "" ? markdown : `${before}\n\n${markdown}`;
  if (details.length <= MAX_REPORT) return { ...row, details };
  return { ...row, details: `${details.slice(0, MAX_REPORT)}\n\n(The report was cut here.)` };
}

export type Outcome = "done" | "failed" | "stopped";

/** What the activity log and the person who started the job are told at its end. */
export function messageOf(
  { title, stats }: Pick<InternalJobRow, "title" | "stats">,
  outcome: Outcome,
  fault?: string,
): string {
  if (outcome === "failed") return `${title}: failed: ${fault ?? ""}`;
  const counts = Object.entries(stats)
    .slice(0, MAX_TOLD)
    .map(([name, value]) => `${name}: ${value}`);
  const done = counts.length === 0 ? "" : ` (${counts.join(", ")})`;
  return `${title}: ${outcome === "done" ? "finished" : "stopped before its end"}${done}.`;
}
