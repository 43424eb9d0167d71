import type { Kind } from "../definition/subjects.ts";

/** Members of the data of expressions that are kept of the past, by kind of subject. */
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

/** Paths that are not kept: they are undefined in a back-test. */
export const unknownPaths = (paths: readonly string[], kind: Kind): string[] =>
  paths.filter((path) => !KEPT[kind].some((each) => isWithin(path, each)));

/** "monitors.cpu" and "monitors["cpu"]" are within "monitors". */
const isWithin = (path: string, kept: string): boolean =>
  path.startsWith(kept) && (path.length === kept.length || ".[".includes(path.charAt(kept.length)));
