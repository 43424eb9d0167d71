import { formatBytes } from "../../../../expressions/text-formats.ts";
import type { Limit } from "../../../../wire/entries/actions-and-limits.ts";
import { amountOf, startLimit } from "../../limits/rules/limits.ts";
import type { ActiveJob } from "../../model.ts";
import { isStoredPath } from "../../rules/stored-path.ts";

export interface InputFiles {
  readonly files: readonly unknown[];
  /** Reasons why files were dropped, for the meta log. */
  readonly notes: readonly string[];
}

/**
 * Agents store input files under this name in the job's folder, so it must not contain a path
 * (docs/contract/satellites.md#input-files).
 */
const isBareName = (name: unknown): boolean =>
  typeof name === "string" && name !== "" && name !== "." && name !== ".." && !/[/\\\p{Cc}]/u.test(name);

const pathOf = (file: unknown): unknown => (file as { path?: unknown } | null)?.path;
const nameOf = (file: unknown): unknown => (file as { filename?: unknown } | null)?.filename;
const sizeOf = (file: unknown): number => {
  const size = Number((file as { size?: unknown } | null)?.size ?? 0);
  return Number.isFinite(size) ? size : 0;
};

/**
 * The input files of a job that is about to start: only those with a bare name and a stored path, then reduced by its `file`
 * limit (docs/contract/limits.md#at-the-start-and-at-the-end).
 */
export function allowedFiles(given: readonly unknown[], limits: readonly Limit[]): InputFiles {
  const named = given.filter((file) => isBareName(nameOf(file)));
  const unsafe = given.length - named.length;
  const notes = unsafe > 0 ? [`WARNING: Ignoring ${unsafe} input files without a proper name`] : [];
  // Agents request a path below the address of the node; any other path would make them call other routes.
  let files = named.filter((file) => isStoredPath(pathOf(file)));
  const foreign = named.length - files.length;
  if (foreign > 0) notes.push(`WARNING: Ignoring ${foreign} input files that are not stored here`);
  const limit = startLimit(limits, "file");
  if (!limit) return { files, notes };
  for (const [prune, reason] of prunings(limit)) {
    const kept = prune(files);
    if (kept.length < files.length) notes.push(`Input files pruned from ${files.length} to ${kept.length}: ${reason}`);
    files = kept;
  }
  return { files, notes };
}

/** The job with only the allowed input files. */
export function withAllowedFiles(record: ActiveJob): readonly [ActiveJob, readonly string[]] {
  const { job, details } = record;
  const given: unknown = details.input?.["files"];
  if (!Array.isArray(given)) return [record, []];
  const { files, notes } = allowedFiles(given, job.limits ?? []);
  if (notes.length === 0) return [record, []];
  return [{ ...record, details: { ...details, input: { ...details.input, files } } }, notes];
}

type Pruning = readonly [(files: unknown[]) => unknown[], string];

/** Checks of a `file` limit, in the order of the contract: number, total size, endings of names. */
function prunings(limit: Limit): readonly Pruning[] {
  const { amount, accept } = limit;
  const size = amountOf(limit, "size");
  const endings =
    typeof accept === "string"
      ? accept
          .toLowerCase()
          .split(",")
          .map((end) => end.trim())
      : [];
  const wanted = endings.filter((end) => end !== "");
  const most = amount === undefined || amount === null ? undefined : Math.max(0, amountOf(limit));
  return [
    ...(most === undefined ? [] : [[(files: unknown[]) => files.slice(0, most), `at most ${most}`] as const]),
    ...(size > 0 ? [[(files: unknown[]) => upTo(files, size), `at most ${formatBytes(size)} in all`] as const] : []),
    ...(wanted.length > 0 ? [[(files: unknown[]) => ending(files, wanted), `only ${wanted.join(", ")}`] as const] : []),
  ];
}

/** Ends before the file with which the running total exceeds the size. */
function upTo(files: unknown[], size: number): unknown[] {
  let total = 0;
  const over = files.findIndex((file) => {
    total += sizeOf(file);
    return total > size;
  });
  return over < 0 ? files : files.slice(0, over);
}

const ending = (files: unknown[], wanted: readonly string[]): unknown[] =>
  files.filter((file) => wanted.some((end) => String(nameOf(file)).toLowerCase().endsWith(end)));
