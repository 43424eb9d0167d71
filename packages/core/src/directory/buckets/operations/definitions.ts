import * as z from "zod";
import { credentials, defineCommand, defineQuery, privilege } from "../../../kernel/calls/operation.ts";
import { updateListed } from "../../../kernel/definitions/listed.ts";
import { ListedOperations } from "../../../kernel/definitions/listed-operations.ts";
import { NotFoundError } from "../../../kernel/errors/errors.ts";
import { Id } from "../../../wire/fields/fields.ts";
import { updateRecord } from "../../../wire/fields/stamps.ts";
import { Done } from "../../../wire/schemas/lists.ts";
import { looseObject, object } from "../../../wire/schemas/objects.ts";
import { bucketCollection } from "../collection.ts";
import { Bucket, BucketData, BucketFile, CreateBucket, UpdateBucket } from "../model.ts";
import { keptFiles, shownFile } from "../rules/files.ts";
import { newBucket, withoutContent } from "../rules/record.ts";

const listed = { collection: bucketCollection, code: "bucket", thing: "bucket" } as const;
const buckets = new ListedOperations({
  collection: bucketCollection,
  record: Bucket,
  name: "bucket",
  plural: "buckets",
  prefix: "b",
});

export const getBuckets = buckets.list({ summary: "List all buckets, without their content." });

export const getBucket = defineQuery({
  name: "get_bucket",
  summary: "Read one bucket with its data and the list of its files.",
  access: credentials,
  refuses: ["notfound"],
  input: looseObject(() => ({ id: Id })),
  output: object(() => ({ bucket: Bucket, data: BucketData, files: z.array(BucketFile) })),
  async handler({ id }, { definitions, services, tx }) {
    const bucket = await definitions.get(bucketCollection, id);
    if (!bucket) throw new NotFoundError(`Bucket not found: ${id}`);
    const { bucketContents } = services;
    const [data, files] = [await bucketContents.data(tx, id), await bucketContents.files(tx, id)];
    return { bucket, data, files: files.map(shownFile) };
  },
});

export const createBucket = buckets.create({
  summary: "Create a bucket, with data if some are given; the id is generated when absent.",
  accepts: ["files"],
  input: CreateBucket,
  async draft(input, stamp, { services, tx }) {
    await services.bucketContents.lock(tx, stamp.id);
    return newBucket(input, stamp);
  },
  async after({ id }, { services, tx }, { data }) {
    await services.bucketContents.setData(tx, id, data ?? {});
    await services.bucketContents.setFiles(tx, id, []);
  },
});

export const updateBucket = defineCommand({
  name: "update_bucket",
  summary: "Change a bucket; `data` replaces all its data, `files` keeps the listed files.",
  access: privilege("edit_buckets"),
  refuses: ["bucket"],
  input: UpdateBucket,
  output: Done,
  async handler(input, { audit, emit, now, services, tx }) {
    const { id } = input;
    // Every bucket has data and files, so null means empty.
    const data = input.data === null ? {} : input.data;
    const files = input.files === null ? [] : input.files;
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

export const deleteBucket = buckets.delete({
  summary: "Remove a bucket with its data and files permanently; actions that name it fail from now on.",
  async before(id, { services, tx }) {
    await services.bucketContents.lock(tx, id);
    await services.bucketContents.find(tx, id);
  },
  after: ({ id }, { services, tx }) => services.bucketContents.drop(tx, id),
});
