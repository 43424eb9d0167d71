import * as z from "zod";
import { defineCommand, privilege } from "../../../kernel/calls/operation.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import { Id, number, optionalFlag } from "../../../wire/fields/fields.ts";
import { Done } from "../../../wire/schemas/lists.ts";
import { looseObject, object } from "../../../wire/schemas/objects.ts";
import { shownPath } from "../../files/rules/paths.ts";
import { mergeData } from "../rules/data.ts";
import { type Criteria, findFile } from "../rules/files.ts";
import { notObject } from "../services/faults.ts";

export const writeBucketData = defineCommand({
  name: "write_bucket_data",
  parameters: "merged",
  summary: "Write members into the data of a bucket; others stay as they are. With `fetch` all data are answered.",
  access: privilege("edit_buckets"),
  refuses: ["bucket"],
  input: looseObject(() => ({
    id: Id,
    data: z.record(z.string(), z.unknown()),
    fetch: optionalFlag().describe("Answer all data of the bucket."),
  })),
  output: object(() => ({ data: z.record(z.string(), z.unknown()).nullable() })),
  async handler({ data: written, fetch, id }, { emit, services, tx }) {
    const { bucketContents } = services;
    await bucketContents.lock(tx, id);
    await bucketContents.findEnabled(tx, id);
    const data = mergeData(await bucketContents.data(tx, id), written);
    if (!data) throw notObject(id);
    await bucketContents.setData(tx, id, data);
    emit("bucket.written", { id, data: true, files: false });
    return { data: fetch ? data : null };
  },
});

const FileCriteria = looseObject(() => ({
  id: Id.describe("Id of the bucket."),
  filename: z.string().nullish(),
  path: z.string().nullish(),
  date: number().nullish(),
  size: number().nullish(),
  username: z.string().nullish(),
}));

function criteriaOf({ filename, path, date, size, username }: z.output<typeof FileCriteria>): Criteria {
  const given = Object.entries({ filename, path, date, size, username }).filter(([, value]) => value != null);
  if (given.length === 0) throw new DomainError("bucket", "malformed", "No criteria specified to locate file.");
  return Object.fromEntries(given);
}

export const deleteBucketFile = defineCommand({
  name: "delete_bucket_file",
  parameters: "merged",
  summary: "Remove the first file of a bucket that has all of the given members.",
  access: privilege("edit_buckets"),
  refuses: ["bucket"],
  input: FileCriteria,
  output: Done,
  async handler(input, { audit, emit, services, tx }) {
    const { id } = input;
    const criteria = criteriaOf(input);
    const { bucketContents } = services;
    await bucketContents.lock(tx, id);
    const bucket = await bucketContents.findEnabled(tx, id);
    const files = await bucketContents.files(tx, id);
    const file = files[findFile(files, criteria)];
    if (!file) {
      // Refusals are logged, and the path may open a file of another bucket.
      const shown = criteria.path === undefined ? criteria : { ...criteria, path: shownPath(criteria.path) };
      const description = `Failed to delete bucket file: Bucket file not found: ${JSON.stringify(shown)}`;
      throw new DomainError("bucket", "unknown", description);
    }
    const others = files.filter((each) => each !== file);
    await bucketContents.setFiles(tx, id, others);
    audit("bucket_update", { bucket, removed: [file.filename] });
    emit("bucket.written", { id, data: false, files: true });
    return {};
  },
});

export const emptyBucket = defineCommand({
  name: "empty_bucket",
  parameters: "merged",
  summary: "Remove all files or all data of a bucket, or both.",
  access: privilege("edit_buckets"),
  refuses: ["bucket"],
  input: looseObject(() => ({
    id: Id,
    files: optionalFlag().describe("Remove all files."),
    data: optionalFlag().describe("Remove all data."),
  })),
  output: Done,
  async handler({ data = false, files = false, id }, { audit, emit, services, tx }) {
    if (!data && !files)
      throw new DomainError("bucket", "malformed", "Please specify files and/or data to empty from bucket.");
    const { bucketContents } = services;
    await bucketContents.lock(tx, id);
    const bucket = await bucketContents.findEnabled(tx, id);
    if (data) await bucketContents.setData(tx, id, {});
    if (files) await bucketContents.setFiles(tx, id, []);
    audit("bucket_update", { bucket, emptied: [...(files ? ["files"] : []), ...(data ? ["data"] : [])] });
    emit("bucket.written", { id, data, files });
    return {};
  },
});
