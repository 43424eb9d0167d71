import * as z from "zod";
import { type FileRecord, refusedFiles, tooMany } from "../../../directory/files/rules/file-record.ts";
import { cleanFilename } from "../../../directory/files/rules/names.ts";
import { shownPath } from "../../../directory/files/rules/paths.ts";
import type { Upload } from "../../../kernel/calls/context.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { DomainError, InputError } from "../../../kernel/errors/errors.ts";
import type { WorkHandler } from "../../../kernel/plugins/plugin.ts";
import { displayName } from "../../../lib/files/file-names.ts";
import { durationSeconds } from "../../../lib/time/duration.ts";
import { object } from "../../../wire/schemas/objects.ts";

/** A file that is to be stored for a job. */
export interface FileSource {
  readonly filename: string;
  /** Bytes, if known in advance. */
  readonly sizeBytes: number;
  /** Stores the file under a key; called once. Returns its size in bytes. */
  store(key: string): Promise<number>;
}

export interface KeepOptions {
  /** Key prefix, which ends with a slash. */
  readonly folder: string;
  readonly expires: "user_file_expiration" | "plugin_file_expiration";
  /** Further members of the records. */
  readonly marks: Readonly<Partial<Pick<FileRecord, "username" | "magic">>>;
}

/** Files that callers, forms and plugins give to jobs. They expire some weeks later (docs/contract/files.md#paths). */
export interface InputFiles {
  /** Stores all files or none. Throws `DomainError` ("file") for a file that is not allowed or cannot be stored. */
  keep(sources: readonly FileSource[], options: KeepOptions): Promise<FileRecord[]>;
  /** Like `keep`, for the files of a request. */
  keepUploads(uploads: readonly Upload[], options: KeepOptions): Promise<FileRecord[]>;
  /**
   * Stored sizes, by path, of the files that a call names, `more` being the number of its other files. The sizes in the call are
   * not trusted (docs/contract/files.md#input-of-jobs). Throws `InputError` for a path under which nothing is stored,
   * `DomainError` for too many files.
   */
  named(files: readonly Readonly<Record<string, unknown>>[], more: number): Promise<ReadonlyMap<unknown, number>>;
  /** Deletes the files of a refused launch. */
  discard(records: readonly FileRecord[]): Promise<void>;
}

type Deps = Pick<Cradle, "clock" | "config" | "files" | "ids" | "log" | "transact">;

export const EXPIRE_KIND = "events.expire_files";

export function createInputFiles(deps: Deps): InputFiles {
  const { files: stored } = deps;
  const service: InputFiles = {
    async keep(sources, options) {
      if (sources.length === 0) return [];
      const { job_upload_settings: rules } = deps.config.client;
      const refused = refusedFiles(sources, {
        maxFiles: rules.max_files_per_job,
        maxSize: rules.max_file_size,
        accepted: rules.accepted_file_types,
      });
      if (refused !== undefined) throw notAllowed(refused);
      return store(deps, sources, options);
    },
    keepUploads: (uploads, options) =>
      service.keep(
        uploads.map(({ filename, key, sizeBytes }) => ({ filename, sizeBytes, store: (to) => stored.keep(key, to) })),
        options,
      ),
    async named(files, more) {
      const most = deps.config.client.job_upload_settings.max_files_per_job;
      if (files.length + more > most) throw notAllowed(tooMany(most));
      const sizes = new Map<unknown, number>();
      for (const { path } of files) {
        const info = await stored.head(String(path));
        if (!info) throw unknownPath(String(path));
        sizes.set(path, info.sizeBytes);
      }
      return sizes;
    },
    async discard(records) {
      for (const { path } of records)
        await stored
          .remove(path)
          .catch((error: unknown) => deps.log.warn({ error }, "A file that nobody needs stays until it expires"));
    },
  };
  return service;
}

const FAILED = "Failed to process uploaded files:";
const notAllowed = (reason: string): DomainError => new DomainError("file", "malformed", `${FAILED} ${reason}`);

export const unknownPath = (path: string): InputError =>
  new InputError(`Malformed event parameter: input.files (unknown path: ${shownPath(path)})`);

async function store(deps: Deps, sources: readonly FileSource[], options: KeepOptions): Promise<FileRecord[]> {
  const { clock, config, files, ids, log, transact } = deps;
  const keys = sources.map(({ filename }) => `${options.folder}${ids.token()}/${cleanFilename(filename)}`);
  const seconds = durationSeconds(config.client.job_upload_settings[options.expires]);
  // Expiry is queued first, so that no file stays forever if this process dies.
  if (seconds > 0) await transact(({ tx }) => tx.enqueue(EXPIRE_KIND, { keys }, { runAt: clock.now() + seconds }));
  const records: FileRecord[] = [];
  try {
    for (const [index, source] of sources.entries()) {
      const path = keys[index] as string;
      const size = await source.store(path);
      const { filename } = source;
      const date = Math.floor(clock.now());
      records.push({
        id: ids.short("f"),
        date,
        filename: displayName(filename),
        path,
        size,
        ...options.marks,
      });
    }
    return records;
  } catch (error) {
    for (const key of keys)
      await files
        .remove(key)
        .catch((cause: unknown) => log.warn({ error: cause }, "Half of a file stays until it expires"));
    log.error({ error }, "Input files could not be stored");
    throw new DomainError("file", "failed", `${FAILED} they could not be stored`, { cause: error });
  }
}

const Expired = object(() => ({ keys: z.array(z.string()) }));

/** Deletes expired files. */
export const expireFiles: WorkHandler = async ({ payload }, { blobs }) => {
  for (const key of Expired.parse(payload).keys) await blobs.delete(key);
};
