import * as z from "zod";
import type { ConfigOf } from "../../kernel/config/config.ts";
import { definePlugin } from "../../kernel/plugins/plugin.ts";
import { bucketCollection, bucketDataCollection, bucketFilesCollection } from "./collection.ts";
import type { bucketsClientConfig } from "./config.ts";
import type { BucketEvents } from "./events.ts";
import { Bucket, BucketData, BucketFile, type StoredFile } from "./model.ts";
import { deleteBucketFile, emptyBucket, writeBucketData } from "./operations/content.ts";
import { createBucket, deleteBucket, getBucket, getBuckets, updateBucket } from "./operations/definitions.ts";
import { uploadBucketFiles } from "./operations/upload.ts";
import { BUCKETS_FOLDER, bucketOfPath } from "./rules/paths.ts";
import { type Buckets, createBuckets } from "./service.ts";
import { type BucketContents, createBucketContents } from "./services/contents.ts";
import { type BucketFiles, createBucketFiles } from "./services/files.ts";
import { REMOVE_KIND, removeContents, removeFilesOf } from "./services/removal.ts";

declare module "../../kernel/config/config.ts" {
  interface ClientConfig extends ConfigOf<typeof bucketsClientConfig> {}
}

declare module "../../kernel/plugins/events.ts" {
  interface SignalboxEvents extends BucketEvents {}
}

declare module "../../kernel/plugins/services.ts" {
  interface Services {
    readonly buckets: Buckets;
    readonly bucketContents: BucketContents;
    readonly bucketFiles: BucketFiles;
  }
}

/**
 * Keeps only the files of a backup that are in the bucket's own folder: an entry elsewhere would serve, and later remove, files
 * of others. The content of a replaced file has another path in the folder.
 */
const ownFiles = (id: string, value: unknown): StoredFile[] =>
  z
    .array(BucketFile)
    .parse(value)
    .filter(({ path }) => path.startsWith(`files/bucket/${id}/`) && !path.includes(".."))
    .map(({ content, ...file }): StoredFile => {
      const isOwn = typeof content === "string" && bucketOfPath(content) === id;
      return isOwn ? { ...file, content } : file;
    });

export const buckets = definePlugin({
  id: "buckets",
  after: ["auth", "activity", "files"],
  collections: [bucketCollection, bucketDataCollection, bucketFilesCollection],
  transfer: {
    lists: {
      buckets: {
        collection: bucketCollection,
        shape: Bucket,
        definition: "bucket",
        companions: [bucketDataCollection, bucketFilesCollection],
        leaves: removeFilesOf,
      },
    },
    keys: {
      "buckets/*/data": {
        collection: bucketDataCollection,
        list: "buckets",
        item: "bucketData",
        read: ({ data }) => data,
        take: (id, value) => ({ id, data: BucketData.parse(value) }),
      },
      "buckets/*/files": {
        collection: bucketFilesCollection,
        list: "buckets",
        item: "bucketData",
        read: ({ files }) => files,
        take: (id, value) => ({ id, files: ownFiles(id, value) }),
      },
    },
    files: {
      bucket_files: {
        item: "bucketFiles",
        part: "files",
        list: "buckets",
        keys: "files/bucket/*/**",
        of: ({ id }) => [`files/bucket/${id}/`],
      },
    },
  },
  operations: [
    getBuckets,
    getBucket,
    createBucket,
    updateBucket,
    deleteBucket,
    writeBucketData,
    uploadBucketFiles,
    deleteBucketFile,
    emptyBucket,
  ],
  services: { buckets: createBuckets, bucketContents: createBucketContents, bucketFiles: createBucketFiles },
  workers: { [REMOVE_KIND]: removeContents },
  start: async ({ bucketFiles, files }) => {
    files.serveBy({ folder: BUCKETS_FOLDER, find: bucketFiles.find });
  },
});
