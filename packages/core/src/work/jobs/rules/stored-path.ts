import { isBlobKey } from "../../../lib/files/blob-key.ts";

const MAX_PATH = 1024;

/** A key below a folder of the file store, as uploads write them. */
export const isStoredPath = (path: unknown, folder = "files/"): path is string =>
  typeof path === "string" && path.startsWith(folder) && isBlobKey(path);

/** Folder of a job's output files. */
export const outputFolder = (id: string): string => `files/jobs/${id}/`;

/**
 * Normalises a path given by an agent; undefined unless it lies below the folder of the job's output files
 * (docs/contract/jobs.md#the-final-update).
 */
export function outputPath(path: unknown, job: string): string | undefined {
  if (typeof path !== "string" || path.length > MAX_PATH) return undefined;
  const names: string[] = [];
  for (const name of path.split("/")) {
    if (name === "..") names.pop();
    // A leading slash is kept, because such a path does not begin in the folder.
    else if (name !== "." && (name !== "" || names.length === 0)) names.push(name);
  }
  const normal = names.join("/");
  const folder = outputFolder(job);
  return normal.startsWith(folder) && normal.length > folder.length ? normal : undefined;
}
