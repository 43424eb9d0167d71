import type { Cradle } from "../../../kernel/container.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import { bucketFilesCollection } from "../collection.ts";
import type { BucketFile } from "../model.ts";
import { contentOf } from "../rules/files.ts";
import { bucketOfPath, keptName, pathOf } from "../rules/paths.ts";
import { refusedFiles, uploadLimits } from "../rules/uploads.ts";
import { queueKeys } from "./removal.ts";

/** A file that is to be stored in a bucket. */
export interface ComingFile {
  readonly filename: string;
  /** Size in bytes, if it is known. */
  readonly sizeBytes: number;
  /** Stores the content under the key, once, and returns its size in bytes. Leaves nothing behind when it throws. */
  readonly keep: (key: string) => Promise<number>;
}

/** Origin of files: a user or a job. */
export type Origin = { readonly username: string } | { readonly job: string; readonly server?: string };

/** Stores files of buckets in the file store (docs/contract/buckets.md#uploads). */
export interface BucketFiles {
  /** Throws `DomainError` ("bucket") for files that the settings refuse. */
  check(files: readonly Pick<ComingFile, "filename" | "sizeBytes">[]): void;
  /**
   * Stores files below the bucket's folder, all or none. Call it outside of any transaction. Files that no record names an hour
   * later are removed.
   */
  keep(bucket: string, files: readonly ComingFile[], origin: Origin): Promise<BucketFile[]>;
  /** Removes the files of a refused call; never rejects. */
  discard(files: readonly BucketFile[]): Promise<void>;
  /** Key of the content of a file; undefined = no bucket has a file of this path. Paths outside of buckets are their own keys. */
  find(path: string): Promise<string | undefined>;
}

type Deps = Pick<Cradle, "clock" | "config" | "files" | "ids" | "log" | "snapshot" | "transact">;

/** Seconds before unreferenced files are removed: longer than the slowest call. */
const ORPHAN_SEC = 3600;

export function createBucketFiles(deps: Deps): BucketFiles {
  const { config, files: store, log, snapshot } = deps;
  return {
    check(files) {
      const fault = refusedFiles(files, uploadLimits(config.client.bucket_upload_settings));
      if (fault !== undefined) throw new DomainError("bucket", "malformed", fault);
    },
    keep: (bucket, files, origin) => keep(deps, { bucket, files, origin }),
    async discard(files) {
      for (const { path } of files)
        await store
          .remove(path)
          .catch((error: unknown) => log.warn({ error }, "A file that no bucket has is removed later"));
    },
    async find(path) {
      const bucket = bucketOfPath(path);
      if (bucket === undefined) return path;
      const stored = await snapshot((tx) => tx.collection(bucketFilesCollection).get(bucket));
      const file = stored?.files.find((each) => each.path === path);
      return file && contentOf(file, bucket);
    },
  };
}

interface Delivery {
  readonly bucket: string;
  readonly files: readonly ComingFile[];
  readonly origin: Origin;
}

async function keep(deps: Deps, { bucket, files, origin }: Delivery): Promise<BucketFile[]> {
  if (files.length === 0) return [];
  const { clock, files: store, ids, log, transact } = deps;
  const placed = files.map((file) => ({ ...file, path: pathOf(bucket, ids.token(), file.filename) }));
  const paths = placed.map(({ path }) => path);
  // The removal is queued first, so that no content stays for ever if the upload breaks off.
  await transact(({ tx }) => queueKeys(tx, bucket, paths, clock.now() + ORPHAN_SEC));
  const kept: BucketFile[] = [];
  try {
    for (const file of placed) {
      const size = await file.keep(file.path);
      const [id, date, filename] = [ids.short("f"), Math.floor(clock.now()), keptName(file.filename)];
      kept.push({ id, date, filename, path: file.path, size, ...origin });
    }
    return kept;
  } catch (error) {
    for (const path of paths)
      await store.remove(path).catch((cause: unknown) => log.warn({ error: cause }, "Half of a file is removed later"));
    throw error;
  }
}
