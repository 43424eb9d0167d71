import type { Cradle } from "../../../kernel/container.ts";
import { DomainError, InputError } from "../../../kernel/errors/errors.ts";
import { putRecord } from "../../../kernel/transactions/update-if-there.ts";
import { isLargeData } from "../../../lib/json/json-size.ts";
import type { ReadTx, WriteTx } from "../../../ports/storage/storage.ts";
import { bucketCollection, bucketDataCollection, bucketFilesCollection } from "../collection.ts";
import type { Bucket, BucketData, BucketFile, StoredFile } from "../model.ts";
import { lostContents, mergeFiles } from "../rules/files.ts";
import { isDisabled } from "../rules/record.ts";
import { refusedCount, uploadLimits } from "../rules/uploads.ts";
import { queueRemoval } from "./removal.ts";

/** Reads and replaces contents of buckets, one writer per bucket at a time (docs/contract/buckets.md#writers). */
export interface BucketContents {
  /** Throws `DomainError` ("bucket") for an unknown bucket. */
  find(tx: ReadTx, id: string): Promise<Bucket>;
  /** Like `find`; also throws for a disabled bucket. */
  findEnabled(tx: ReadTx, id: string): Promise<Bucket>;
  /** Makes other writers of the bucket wait until the transaction ends. Throws `DomainError` when the wait takes too long. */
  lock(tx: WriteTx, id: string): Promise<void>;
  data(tx: ReadTx, id: string): Promise<BucketData>;
  files(tx: ReadTx, id: string): Promise<readonly StoredFile[]>;
  /** Throws `InputError` for data that is larger than records may be. */
  setData(tx: WriteTx, id: string, data: BucketData): Promise<void>;
  /** Contents that no file uses any longer are removed after the commit. */
  setFiles(tx: WriteTx, id: string, files: readonly StoredFile[]): Promise<void>;
  /** Adds files that `BucketFiles` has stored; throws `DomainError` for too many. Returns all files of the bucket. */
  addFiles(tx: WriteTx, id: string, coming: readonly BucketFile[]): Promise<readonly StoredFile[]>;
  drop(tx: WriteTx, id: string): Promise<void>;
}

/** Longer than any transaction except those of a host. */
const WAIT_MS = 30_000;

const refuse = (description: string, reason: "unknown" | "conflict" = "conflict"): DomainError =>
  new DomainError("bucket", reason, description);

const find: BucketContents["find"] = async (tx, id) => {
  const bucket = await tx.collection(bucketCollection).get(id);
  if (!bucket) throw refuse(`Bucket not found: ${id}`, "unknown");
  return bucket;
};

const files: BucketContents["files"] = async (tx, id) =>
  (await tx.collection(bucketFilesCollection).get(id))?.files ?? [];

const lock: BucketContents["lock"] = async (tx, id) => {
  if (await tx.lock(`bucket:${id}`, WAIT_MS)) return;
  throw new DomainError("bucket", "unavailable", `Bucket is busy: ${id}`);
};

export function createBucketContents({ clock, config }: Pick<Cradle, "clock" | "config">): BucketContents {
  const setFiles: BucketContents["setFiles"] = async (tx, id, after) => {
    const lost = lostContents(id, await files(tx, id), after);
    await putRecord(tx.collection(bucketFilesCollection), { id, files: after });
    await queueRemoval(tx, { bucket: id, ...lost, now: clock.now() });
  };
  return {
    find,
    files,
    setFiles,
    async findEnabled(tx, id) {
      const bucket = await find(tx, id);
      if (isDisabled(bucket)) throw refuse(`Bucket is disabled: ${id}`);
      return bucket;
    },
    lock,
    data: async (tx, id) => (await tx.collection(bucketDataCollection).get(id))?.data ?? {},
    async setData(tx, id, data) {
      if (isLargeData(data, config.api.max_record_size)) throw new InputError("Record is too large.");
      await putRecord(tx.collection(bucketDataCollection), { id, data });
    },
    async addFiles(tx, id, coming) {
      const merged = mergeFiles(await files(tx, id), coming);
      const fault = refusedCount(merged.length, uploadLimits(config.client.bucket_upload_settings));
      if (fault !== undefined) throw refuse(fault);
      await setFiles(tx, id, merged);
      return merged;
    },
    async drop(tx, id) {
      await setFiles(tx, id, []);
      await tx.collection(bucketFilesCollection).delete(id);
      await tx.collection(bucketDataCollection).delete(id);
      await tx.collection(bucketCollection).delete(id);
    },
  };
}
