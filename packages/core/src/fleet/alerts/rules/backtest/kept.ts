import type { Kind } from "../definition/subjects.ts";

/** Members of the expression data whose past is stored, by kind of subject. */
const KEPT: Readonly<Record<Kind, readonly string[]>> = {
  server: ["monitors", "deltas"],
  presence: ["presence"],
  event: ["expect", "run", "event"],
  heartbeat: ["beat", "heartbeat"],
  check: [
    ...["id", "title", "category", "tags", "warn_days", "crit_days", "ok", "ms", "days_left", "down", "failures"],
    ...["vantages", "failed", "last"],
  ].map((member) => `check.${member}`),
};

/** Paths without a stored past; a back-test reads them as undefined. */
export const unknownPaths = (paths: readonly string[], kind: Kind): string[] =>
  paths.filter((path) => !KEPT[kind].some((each) => isWithin(path, each)));

/** "monitors.cpu" and "monitors["cpu"]" are within "monitors". */
const isWithin = (path: string, kept: string): boolean =>
  path.startsWith(kept) && (path.length === kept.length || ".[".includes(path.charAt(kept.length)));
