import * as z from "zod";
import { Flag, Id, Title } from "../../wire/fields/fields.ts";
import { sentRevision } from "../../wire/fields/revision.ts";
import { stampFields } from "../../wire/fields/stamps.ts";
import { exactly } from "../../wire/issues.ts";
import { looseObject } from "../../wire/schemas/objects.ts";

const members = { icon: z.string().nullish(), notes: z.string().nullish() };

/**
 * A place for data and files that jobs and people share (docs/contract/buckets.md#record). The record does not include its
 * content.
 */
export const Bucket = looseObject(() => ({
  id: Id,
  title: z.string(),
  /** Absent on imported records, where it counts as enabled. */
  enabled: Flag.nullish(),
  ...members,
  ...stampFields,
}));
export type Bucket = z.infer<typeof Bucket>;

const notObject = { error: exactly("Parameter is not type object: data") };

/** An object, or a list for menus. */
export const BucketData = z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())], notObject);
export type BucketData = z.infer<typeof BucketData>;

/** A file as callers see it (docs/contract/buckets.md#files). */
export const BucketFile = looseObject(() => ({
  id: z.string(),
  /** Unix seconds. */
  date: z.number(),
  filename: z.string(),
  /** Relative to the address of the engine; stays the same when the file is replaced. */
  path: z.string(),
  /** Bytes. */
  size: z.number(),
  /** User who uploaded it; absent when a job stored it. */
  username: z.string().optional(),
  job: z.string().optional(),
  server: z.string().optional(),
}));
export type BucketFile = z.infer<typeof BucketFile>;

/** A file as it is stored. */
export interface StoredFile extends BucketFile {
  /** Key of the content in the file store once the file was replaced; absent = the path is the key. Callers never see it. */
  readonly content?: string;
}

export const CreateBucket = looseObject(() => ({
  id: Id.optional(),
  title: Title,
  enabled: Flag.nullish(),
  ...members,
  data: BucketData.nullish().describe("Absent = empty."),
}));
export type CreateBucket = z.infer<typeof CreateBucket>;

export const UpdateBucket = looseObject(() => ({
  id: Id,
  title: Title.optional(),
  enabled: Flag.nullish(),
  if_revision: sentRevision,
  ...members,
  data: BucketData.nullish().describe("Replaces all data."),
  files: z
    .array(z.unknown())
    .nullish()
    .describe("Files that stay, by their paths and in this order; none can be added."),
}));

/** Data members and files that a job stores in a bucket. */
export interface Deposit {
  readonly bucket: string;
  /** Members to write; undefined = none. */
  readonly data: Readonly<Record<string, unknown>> | undefined;
  /** Files in the file store, by key. */
  readonly files: readonly { readonly filename: string; readonly key: string }[];
  readonly job: string;
  readonly server: string | undefined;
}

/** Content of a bucket at one moment. */
export interface Holding {
  readonly bucket: Bucket;
  readonly data: BucketData;
  readonly files: readonly BucketFile[];
}
