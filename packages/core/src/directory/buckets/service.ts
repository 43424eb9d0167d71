import type { Cradle } from "../../kernel/container.ts";
import { SignalboxError } from "../../kernel/errors/errors.ts";
import { isObject } from "../../lib/json/is-object.ts";
import type { Bucket, BucketFile, Deposit, Holding } from "./model.ts";
import { mergeData } from "./rules/data.ts";
import { contentOf, shownFile } from "./rules/files.ts";
import type { BucketContents } from "./services/contents.ts";
import { notObject } from "./services/faults.ts";
import type { ComingFile } from "./services/files.ts";

/** Buckets, for the jobs that use them (docs/contract/buckets.md#jobs). */
export interface Buckets {
  /** Stores all of the deposit or nothing; throws `SignalboxError` when it refuses. Repeating a deposit is safe. */
  store(deposit: Deposit, signal: AbortSignal): Promise<Bucket>;
  /** Throws `DomainError` for an unknown or a disabled bucket. */
  read(id: string): Promise<Holding>;
}

type Deps = Pick<Cradle, "bucketContents" | "bucketFiles" | "files" | "snapshot" | "transact">;

export function createBuckets(deps: Deps): Buckets {
  return {
    async store(deposit, signal) {
      const { bucketContents, bucketFiles, snapshot } = deps;
      await snapshot((tx) => bucketContents.findEnabled(tx, deposit.bucket));
      const coming = await comingFiles(deps, deposit, signal);
      bucketFiles.check(coming);
      const { job, server } = deposit;
      const kept = await bucketFiles.keep(deposit.bucket, coming, { job, ...(server === undefined ? {} : { server }) });
      try {
        return await write(deps, deposit, kept);
      } catch (error) {
        if (error instanceof SignalboxError) await bucketFiles.discard(kept);
        throw error;
      }
    },
    read: (id) =>
      deps.snapshot(async (tx) => {
        const bucket = await deps.bucketContents.findEnabled(tx, id);
        const [data, files] = [await deps.bucketContents.data(tx, id), await deps.bucketContents.files(tx, id)];
        const own = files.filter((file) => contentOf(file, id) !== undefined);
        return { bucket, data, files: own.map(shownFile) };
      }),
  };
}

/** Throws when a file is no longer in the store, because a stored copy must be complete. */
async function comingFiles({ files: store }: Deps, { files }: Deposit, signal: AbortSignal): Promise<ComingFile[]> {
  const coming: ComingFile[] = [];
  for (const { filename, key } of files) {
    const info = await store.head(key);
    if (!info) throw new Error(`File not found: ${filename}`);
    coming.push({ filename, sizeBytes: info.sizeBytes, keep: (to) => store.copy(key, to, signal) });
  }
  return coming;
}

const write = (
  { bucketContents, transact }: { readonly bucketContents: BucketContents } & Pick<Deps, "transact">,
  { bucket: id, data }: Deposit,
  files: readonly BucketFile[],
): Promise<Bucket> =>
  transact(async ({ emit, tx }) => {
    await bucketContents.lock(tx, id);
    const bucket = await bucketContents.findEnabled(tx, id);
    if (data) {
      const merged = mergeData(await bucketContents.data(tx, id), data);
      if (!isObject(merged)) throw notObject(id);
      await bucketContents.setData(tx, id, merged);
    }
    if (files.length > 0) await bucketContents.addFiles(tx, id, files);
    emit("bucket.written", { id, data: data !== undefined, files: files.length > 0 });
    return bucket;
  });
