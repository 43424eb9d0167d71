import { createReadStream, createWriteStream } from "node:fs";
import { glob, realpath, stat } from "node:fs/promises";
import { basename, join, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import {
  type BlobStore,
  type Clock,
  displayName,
  type IdGenerator,
  inputFileKey,
  membersOf,
  messageOf,
  outputName,
} from "@signalbox/core/adapter";
import type { JobRun } from "./job-run.ts";

const MAX_FILES = 1000;

/** Puts the input files of a job into its folder. Throws when one cannot be had. */
export async function fetchInputFiles(run: JobRun, folder: string, blobs: BlobStore): Promise<void> {
  const files = membersOf(run.details["input"])["files"];
  if (!Array.isArray(files) || files.length === 0) return;
  for (const file of files.slice(0, MAX_FILES).map(membersOf)) {
    const filename = String(file["filename"] ?? "");
    if (!/^[^/\\\0]+$/.test(filename) || filename === "." || filename === "..")
      throw new Error(`Malformed name of input file: ${filename.slice(0, 100)}`);
    const key = inputFileKey(String(file["path"] ?? ""));
    const blob = key === undefined ? undefined : await blobs.get(key);
    if (!blob) throw new Error(`Input file not found: ${filename}`);
    run.meta(`Downloading file: ${filename}`);
    await pipeline(blob.content, createWriteStream(join(folder, filename), { mode: 0o600 }), { signal: run.signal });
  }
}

interface Wanted {
  readonly pattern: string;
  readonly filename: string | undefined;
}

interface StoreFiles {
  readonly folder: string;
  readonly blobs: BlobStore;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly serverId: string;
}

/**
 * Stores the files a plugin named and gives their records. Files that cannot be stored are told in the job's
 * milestones.
 */
export async function storeOutputFiles(run: JobRun, options: StoreFiles): Promise<Record<string, unknown>[]> {
  const wanted = wantedFiles(run.record.read("files"));
  if (wanted.length === 0) return [];
  const records: Record<string, unknown>[] = [];
  for (const { pattern, filename } of wanted)
    for (const path of await matches(run, pattern, options.folder)) {
      if (records.length >= MAX_FILES) return records;
      const record = await storeOne(run, { path, filename: filename ?? basename(path) }, options);
      if (record) records.push(record);
    }
  return records;
}

async function storeOne(
  run: JobRun,
  file: { path: string; filename: string },
  { blobs, clock, ids, serverId }: StoreFiles,
): Promise<Record<string, unknown> | undefined> {
  const filename = displayName(file.filename);
  const path = `files/jobs/${run.record.id}/${ids.token()}/${outputName(filename) || "file"}`;
  try {
    run.meta(`Uploading file: ${filename}`);
    const { sizeBytes } = await blobs.put(path, createReadStream(file.path) as AsyncIterable<Uint8Array>);
    const date = Math.floor(clock.now());
    return { id: ids.short("f"), date, filename, path, size: sizeBytes, server: serverId, job: run.record.id };
  } catch (error) {
    run.meta(`Warning: File was not stored: ${filename}: ${messageOf(error)}`);
    return undefined;
  }
}

/**
 * A path, a glob, `[path, name, delete]` or `{ path, filename }`; deletion needs no word, the folder goes with the
 * job.
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

/**
 * Files of a pattern, from the job's own folder alone: the job may run as another user, and must not read with the
 * rights of the host.
 */
async function matches(run: JobRun, pattern: string, folder: string): Promise<string[]> {
  const found: string[] = [];
  const root = await realpath(folder);
  for await (const path of glob(pattern, { cwd: root })) {
    const full = await realpath(join(root, path)).catch(() => "");
    const inside = full.startsWith(root + sep) && (await stat(full)).isFile();
    if (inside) found.push(full);
    else run.meta(`Warning: Not a file in the folder of the job: ${path}`);
    if (found.length >= MAX_FILES) break;
  }
  if (found.length === 0) run.meta(`Warning: No file found: ${pattern}`);
  return found.sort();
}
