import * as z from "zod";
import { NotFoundError } from "../../../kernel/errors.ts";
import { insertListed, updateListed } from "../../../kernel/listed.ts";
import { credentials, defineCommand, defineQuery, privilege } from "../../../kernel/operation.ts";
import { andThen } from "../../../lib/awaitable.ts";
import { Id } from "../../../wire/fields.ts";
import { asList, Done, listOf, NoParameters } from "../../../wire/lists.ts";
import { updateRecord } from "../../../wire/stamps.ts";
import { bucketCollection } from "../collection.ts";
import { Bucket, BucketData, BucketFile, CreateBucket, UpdateBucket } from "../model.ts";
import { keptFiles, shownFile } from "../rules/files.ts";
import { newBucket, withoutContent } from "../rules/record.ts";

const listed = { collection: bucketCollection, code: "bucket", thing: "bucket" } as const;

export const getBuckets = defineQuery({
  name: "get_buckets",
  method: "GET",
  summary: "List all buckets, without what they hold.",
  access: credentials,
  input: NoParameters,
  output: listOf(Bucket),
  handler: (_input, { definitions }) => andThen(definitions.all(bucketCollection), asList),
});

export const getBucket = defineQuery({
  name: "get_bucket",
  method: "GET",
  summary: "Read one bucket with its data and the list of its files.",
  access: credentials,
  input: z.looseObject({ id: Id }),
  output: z.object({ bucket: Bucket, data: BucketData, files: z.array(BucketFile) }),
  async handler({ id }, { definitions, services, tx }) {
    const bucket = await definitions.get(bucketCollection, id);
    if (!bucket) throw new NotFoundError(`Bucket not found: ${id}`);
    const { bucketContents } = services;
    const [data, files] = [await bucketContents.data(tx, id), await bucketContents.files(tx, id)];
    return { bucket, data, files: files.map(shownFile) };
  },
});

export const createBucket = defineCommand({
  name: "create_bucket",
  method: "POST",
  summary: "Create a bucket, with data if some are given; the id is generated when absent.",
  access: privilege("create_buckets"),
  accepts: ["files"],
  input: CreateBucket,
  output: z.object({ bucket: Bucket }),
  async handler(input, { actor, audit, emit, ids, now, services, tx }) {
    const id = input.id ?? ids.short("b");
    const { bucketContents } = services;
    await bucketContents.lock(tx, id);
    const bucket = newBucket(input, { id, username: actor.id, now });
    await insertListed(tx, listed, bucket);
    await bucketContents.setData(tx, id, input.data ?? {});
    await bucketContents.setFiles(tx, id, []);
    audit("bucket_create", { bucket });
    emit("bucket.created", { id });
    return { bucket };
  },
});

export const updateBucket = defineCommand({
  name: "update_bucket",
  method: "POST",
  summary: "Change a bucket; `data` takes the place of all its data, `files` keeps what it lists.",
  access: privilege("edit_buckets"),
  input: UpdateBucket,
  output: Done,
  async handler(input, { audit, emit, now, services, tx }) {
    const { data, files, id } = input;
    const { bucketContents } = services;
    await bucketContents.lock(tx, id);
    await bucketContents.find(tx, id);
    const sent = { ...withoutContent(input), id };
    const bucket = await updateListed(tx, listed, sent, (stored) => updateRecord(stored, sent, now));
    if (data !== undefined) await bucketContents.setData(tx, id, data);
    if (files) await bucketContents.setFiles(tx, id, keptFiles(await bucketContents.files(tx, id), files));
    audit("bucket_update", { bucket });
    emit("bucket.updated", { id });
    if (data !== undefined || files) emit("bucket.written", { id, data: data !== undefined, files: Boolean(files) });
    return {};
  },
});

export const deleteBucket = defineCommand({
  name: "delete_bucket",
  method: "POST",
  summary: "Remove a bucket with its data and files for good; actions that name it fail from now on.",
  access: privilege("delete_buckets"),
  input: z.looseObject({ id: Id }),
  output: Done,
  async handler({ id }, { audit, emit, services, tx }) {
    const { bucketContents } = services;
    await bucketContents.lock(tx, id);
    const bucket = await bucketContents.find(tx, id);
    await bucketContents.drop(tx, id);
    audit("bucket_delete", { bucket });
    emit("bucket.deleted", { id });
    return {};
  },
});
