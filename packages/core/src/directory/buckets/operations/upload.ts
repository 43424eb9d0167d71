import * as z from "zod";
import type { PrepareContext } from "../../../kernel/calls/context.ts";
import { defineCommand, privilege } from "../../../kernel/calls/operation.ts";
import { DomainError, InputError } from "../../../kernel/errors/errors.ts";
import { WordId } from "../../../wire/fields/fields.ts";
import { looseObject, object } from "../../../wire/schemas/objects.ts";
import { discardIfRefused } from "../../files/discard-if-refused.ts";
import { BucketFile } from "../model.ts";
import { shownFile } from "../rules/files.ts";

const UploadInput = looseObject(() => ({
  id: WordId.optional().describe("Id of the bucket."),
  bucket: WordId.optional().describe("The same, where no `id` is sent."),
}));
type UploadInput = z.output<typeof UploadInput>;

export const uploadBucketFiles = defineCommand({
  name: "upload_bucket_files",
  parameters: "merged",
  files: true,
  summary: "Store files in a bucket, all or none; one of the same name is replaced. The answer lists all its files.",
  access: privilege("edit_buckets"),
  refuses: ["bucket"],
  input: UploadInput,
  output: object(() => ({ files: z.array(BucketFile) })),
  // Storing files takes time, and no transaction may wait for it.
  prepare: (input, context) => keepFiles(idOf(input), context),
  async handler(input, { audit, emit, prepared: coming, services, tx }) {
    const id = idOf(input);
    const { bucketContents, bucketFiles } = services;
    try {
      await bucketContents.lock(tx, id);
      // Another call may have changed, disabled or removed the bucket while the files were stored.
      const bucket = await bucketContents.findEnabled(tx, id);
      const files = await bucketContents.addFiles(tx, id, coming);
      audit("bucket_update", { bucket, uploaded: coming.map(({ filename }) => filename) });
      emit("bucket.written", { id, data: false, files: true });
      return { files: files.map(shownFile) };
    } catch (error) {
      discardIfRefused(error, () => bucketFiles.discard(coming));
      throw error;
    }
  },
});

function idOf({ bucket, id = bucket }: UploadInput): string {
  if (id === undefined) throw new InputError("Missing parameter: id");
  return id;
}

/** Stores the files of an upload, after all checks that could refuse it. */
async function keepFiles(id: string, context: PrepareContext): Promise<BucketFile[]> {
  const { actor, log, read, services, uploads } = context;
  const { bucketContents, bucketFiles, files: store } = services;
  if (uploads.length === 0) throw new DomainError("bucket", "malformed", "No file upload data found in request.");
  await read((tx) => bucketContents.findEnabled(tx, id));
  bucketFiles.check(uploads);
  const coming = uploads.map(({ filename, key, sizeBytes }) => ({
    filename,
    sizeBytes,
    keep: (to: string) => store.keep(key, to),
  }));
  try {
    return await bucketFiles.keep(id, coming, { username: actor.id });
  } catch (error) {
    log.error({ bucket: id, error }, "Files of a bucket could not be stored");
    const description = "Failed to process uploaded files: they could not be stored";
    throw new DomainError("bucket", "failed", description, { cause: error });
  }
}
