import * as z from "zod";
import type { WorkHandler } from "../../../kernel/plugins/plugin.ts";
import type { WriteTx } from "../../../ports/storage/storage.ts";
import { object } from "../../../wire/schemas/objects.ts";
import { bucketFilesCollection } from "../collection.ts";
import { contentOf, lostContents } from "../rules/files.ts";
import { bucketOfPath } from "../rules/paths.ts";

/** Kind of queued work. */
export const REMOVE_KIND = "buckets.remove_files";

interface Removal {
  readonly bucket: string;
  /** Contents whose file was removed. */
  readonly removed: readonly string[];
  /** Contents whose file was replaced and now has another content. */
  readonly replaced: readonly string[];
  /** Unix seconds. */
  readonly now: number;
}

/** Seconds that readers of a replaced content have to finish. */
const REPLACED_SEC = 600;
/** Keys per item of queued work. */
const AT_ONCE = 100;

/** Queues a removal in the transaction of its change, so that the contents are also removed if the process ends first. */
export async function queueRemoval(tx: WriteTx, { bucket, removed, replaced, now }: Removal): Promise<void> {
  await queueKeys(tx, bucket, removed, now);
  await queueKeys(tx, bucket, replaced, now + REPLACED_SEC);
}

/** Queues the removal of keys; those in use by then are kept. */
export async function queueKeys(tx: WriteTx, bucket: string, keys: readonly string[], runAt: number): Promise<void> {
  for (let start = 0; start < keys.length; start += AT_ONCE)
    await tx.enqueue(REMOVE_KIND, { bucket, keys: keys.slice(start, start + AT_ONCE) }, { runAt });
}

/** Queues the removal of all contents of deleted buckets, due at once. */
export async function removeFilesOf(tx: WriteTx, buckets: readonly string[]): Promise<void> {
  for (const bucket of buckets) {
    const files = (await tx.collection(bucketFilesCollection).get(bucket))?.files ?? [];
    await queueRemoval(tx, { bucket, ...lostContents(bucket, files, []), now: 0 });
  }
}

const Keys = object(() => ({ bucket: z.string(), keys: z.array(z.string()) }));

/** Removes contents in the folder of the bucket that none of its files uses. */
export const removeContents: WorkHandler = async ({ payload }, { files, snapshot }) => {
  const { bucket, keys } = Keys.parse(payload);
  const stored = await snapshot((tx) => tx.collection(bucketFilesCollection).get(bucket));
  const inUse = new Set((stored?.files ?? []).map((file) => contentOf(file, bucket)));
  for (const key of keys) if (bucketOfPath(key) === bucket && !inUse.has(key)) await files.remove(key);
};
