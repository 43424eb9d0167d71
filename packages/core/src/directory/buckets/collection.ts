import { defineCollection } from "../../ports/storage/collection.ts";
import type { Bucket, BucketData, StoredFile } from "./model.ts";

export const bucketCollection = defineCollection<Bucket>({ name: "buckets", noun: "Bucket", resident: true });

/**
 * Contents of buckets, under the bucket's id. They are separate from the definitions, which every node keeps in memory and sends
 * to every page.
 */
export const bucketDataCollection = defineCollection<{ id: string; readonly data: BucketData }>({
  name: "bucket_data",
  noun: "Bucket Data",
});

export const bucketFilesCollection = defineCollection<{ id: string; readonly files: readonly StoredFile[] }>({
  name: "bucket_files",
  noun: "Bucket Files",
});
