import { folderOf } from "../../../directory/files/rules/file-record.ts";
import { isObject } from "../../../lib/json/is-object.ts";
import type { FinalJob } from "../model.ts";
import { isStoredPath, outputFolder } from "./stored-path.ts";

export interface FileRecord {
  readonly path: string;
  readonly filename?: unknown;
  readonly bucket?: unknown;
  readonly ticket?: unknown;
}

const records = (files: unknown): FileRecord[] =>
  Array.isArray(files) ? files.filter((file) => isObject(file) && typeof file["path"] === "string") : [];

export const outputsOf = ({ files }: Pick<FinalJob, "files">): FileRecord[] => records(files);
export const inputsOf = ({ input }: Pick<FinalJob, "input">): FileRecord[] => records(input?.["files"]);

/** `files/<account>/<random>/<name>`: only the uploader knows the random part. */
const DEPTH = 4;

/**
 * Uploads that came with the job and are deleted with it (docs/contract/files.md#whose-a-file-is). A record may claim anything,
 * so the path decides: only files in the folder of the account that launched the job, and in that of magic links, belong to it.
 */
export function ownUploads(job: Pick<FinalJob, "input" | "username">): string[] {
  const folders = [...(job.username ? [`files/${folderOf(job.username)}/`] : []), "files/magic/"];
  return inputsOf(job)
    .filter((file) => !file.bucket && !file.ticket)
    .map(({ path }) => path)
    .filter((path) => path.split("/").length === DEPTH && folders.some((folder) => isStoredPath(path, folder)));
}

/** A path that a job may delete: its output, or an upload that came with it. */
export const isOwnFile = (job: Pick<FinalJob, "id" | "input" | "username">, path: string): boolean =>
  isStoredPath(path, outputFolder(job.id)) || ownUploads(job).includes(path);
