import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import {
  type BlobStore,
  type Clock,
  displayName,
  type IdGenerator,
  inputFileKey,
  type LeftFile,
  membersOf,
  messageOf,
  outputName,
} from "@signalbox/core/adapter";
import { findLeftFiles, type LeftFiles } from "../leftovers/left-files.ts";
import { give, type JobFolder } from "./job-folder.ts";
import type { JobRun } from "./job-run.ts";

const MAX_FILES = 1000;

/** Writes the input files of a job into its folder, owned by its user. Throws when a file cannot be fetched. */
export async function fetchInputFiles(run: JobRun, { cwd, account }: JobFolder, blobs: BlobStore): Promise<void> {
  const files = membersOf(run.details["input"])["files"];
  if (!Array.isArray(files)) return;
  if (files.length > MAX_FILES) throw new Error(`Too many input files: ${files.length}`);
  for (const file of files.map(membersOf)) {
    const filename = String(file["filename"] ?? "");
    if (!/^[^/\\\0]+$/.test(filename) || filename === "." || filename === "..")
      throw new Error(`Malformed name of input file: ${filename.slice(0, 100)}`);
    const key = inputFileKey(String(file["path"] ?? ""));
    const blob = key === undefined ? undefined : await blobs.get(key);
    if (!blob) throw new Error(`Input file not found: ${filename}`);
    run.meta(`Downloading file: ${filename}`);
    const path = join(cwd, filename);
    await pipeline(blob.content, createWriteStream(path, { mode: 0o600 }), { signal: run.signal });
    await give(path, account);
  }
}

interface Wanted {
  readonly pattern: string;
  readonly filename: string | undefined;
}

interface StoreFiles {
  readonly folder: Pick<JobFolder, "cwd" | "account">;
  readonly blobs: BlobStore;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly serverId: string;
}

/** Stores the files that a plugin named; resolves to their records. Files that cannot be stored become milestones of the job. */
export async function storeOutputFiles(run: JobRun, options: StoreFiles): Promise<Record<string, unknown>[]> {
  const wanted = wantedFiles(run.record.read("files"));
  if (wanted.length === 0) return [];
  const records: Record<string, unknown>[] = [];
  for (const { pattern, filename } of wanted)
    for (const file of await matches(run, pattern, options)) {
      if (records.length >= MAX_FILES) {
        tellCut(run);
        return records;
      }
      const record = await storeOne(run, { ...file, name: filename ?? file.name }, options);
      if (record) records.push(record);
    }
  return records;
}

async function storeOne(
  run: JobRun,
  file: Pick<LeftFile, "content" | "name">,
  { blobs, clock, ids, serverId }: StoreFiles,
): Promise<Record<string, unknown> | undefined> {
  const filename = displayName(file.name);
  const path = `files/jobs/${run.record.id}/${ids.token()}/${outputName(filename) || "file"}`;
  try {
    run.meta(`Uploading file: ${filename}`);
    const { sizeBytes } = await blobs.put(path, file.content());
    const date = Math.floor(clock.now());
    return { id: ids.short("f"), date, filename, path, size: sizeBytes, server: serverId, job: run.record.id };
  } catch (error) {
    run.meta(`Warning: File was not stored: ${filename}: ${messageOf(error)}`);
    return undefined;
  }
}

/**
 * Accepts a path, a glob, `[path, name, delete]` or `{ path, filename }`. `delete` is ignored, because the whole folder is
 * removed after the job.
 */
function wantedFiles(list: unknown): Wanted[] {
  const rows = Array.isArray(list) ? list.slice(0, MAX_FILES) : [];
  return rows.flatMap((row: unknown) => {
    const [pattern, filename]: unknown[] =
      typeof row === "string" ? [row] : Array.isArray(row) ? row : [membersOf(row)["path"], membersOf(row)["filename"]];
    if (typeof pattern !== "string" || pattern === "") return [];
    return [{ pattern, filename: typeof filename === "string" && filename ? filename : undefined }];
  });
}

/** Files that match a pattern, only from the job's own folder. */
async function matches(run: JobRun, pattern: string, { clock, folder: { cwd, account } }: StoreFiles) {
  const { files, refused, isCut } = await findLeftFiles(cwd, pattern, { account, clock, most: MAX_FILES }).catch(
    (error: unknown) => {
      // A faulty pattern does not stop other files from being stored.
      run.meta(`Warning: ${messageOf(error)}`);
      return NO_FILES;
    },
  );
  for (const path of refused) run.meta(`Warning: Not a file in the folder of the job: ${path}`);
  if (files.length === 0) run.meta(`Warning: No file found: ${pattern}`);
  if (isCut) tellCut(run);
  return files;
}

const NO_FILES: LeftFiles = { files: [], refused: [], isCut: false };

const tellCut = (run: JobRun): void =>
  run.meta(`Warning: A job keeps ${MAX_FILES} files at most; others were not stored`);
