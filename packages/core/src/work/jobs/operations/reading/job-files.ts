import * as z from "zod";
import { folderOf } from "../../../../directory/files/rules/file-record.ts";
import { defineCommand, privilege } from "../../../../kernel/calls/operation.ts";
import { DomainError } from "../../../../kernel/errors/errors.ts";
import { isObject } from "../../../../lib/json/is-object.ts";
import { WordId } from "../../../../wire/fields/fields.ts";
import { Done } from "../../../../wire/schemas/lists.ts";
import { looseObject, object } from "../../../../wire/schemas/objects.ts";
import { activeJobCollection, jobCollection } from "../../collection.ts";
import type { ActiveJob, FinalJob } from "../../model.ts";
import { pruned } from "../../rules/filters.ts";
import { inputsOf, isOwnFile, outputsOf } from "../../rules/owned-files.ts";
import { jobNotFound, requireJob, wholeJob } from "../job-access.ts";

type Files = Pick<FinalJob, "files" | "input">;

export const deleteJobFile = defineCommand({
  name: "delete_job_file",
  parameters: "merged",
  summary: "Remove an output file of a job, or an input file that no bucket or ticket owns.",
  access: privilege("delete_jobs"),
  refuses: ["job"],
  input: looseObject(() => ({ id: WordId, path: z.string() })),
  output: Done,
  async handler({ id, path }, { actor, audit, emit, tx }) {
    const active = await tx.collection(activeJobCollection).get(id);
    const job = active ? (wholeJob(active) as FinalJob) : await tx.collection(jobCollection).get(id);
    if (!job) throw new DomainError("job", "unknown", jobNotFound(id).description);
    requireJob(actor, job);
    checkFile(job, path);
    const without = withoutFile(path);
    if (active)
      await tx
        .collection(activeJobCollection)
        .update(id, (record): ActiveJob => ({ ...record, details: { ...record.details, ...without(record.details) } }));
    else await tx.collection(jobCollection).update(id, (record): FinalJob => ({ ...record, ...without(record) }));
    // A record may name any path; a file that does not belong to the job is only removed from its list.
    if (isOwnFile(job, path)) await tx.enqueue("jobs.remove_file", { id, path });
    audit("job_delete_file", { job: pruned(job), path, description: id, keywords: [id] });
    emit("job.updated", { id });
    return {};
  },
});

function checkFile(job: FinalJob, path: string): void {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (outputsOf(job).some((file) => file.path === path)) return;
  const input = inputsOf(job).find((file) => file.path === path);
  if (!input) throw new DomainError("job", "unknown", `Job file not found: ${name}`);
  if (input.bucket) throw new DomainError("job", "conflict", `Bucket files cannot be deleted from job: ${name}`);
  if (input.ticket) throw new DomainError("job", "conflict", `Ticket files cannot be deleted from job: ${name}`);
}

const withoutFile =
  (path: string) =>
  ({ files, input }: Files): Files => {
    const isOther = (file: unknown): boolean => !isObject(file) || file["path"] !== path;
    const given: unknown = input?.["files"];
    return {
      ...(files ? { files: files.filter(isOther) } : {}),
      ...(Array.isArray(given) ? { input: { ...input, files: given.filter(isOther) } } : {}),
    };
  };

const FileRecord = looseObject(() => ({ id: z.string(), filename: z.string(), path: z.string(), size: z.int() }));

export const uploadJobInputFiles = defineCommand({
  name: "upload_job_input_files",
  files: true,
  summary: "Store files for jobs; the answer goes into `input.files` of `run_event`. They are removed after some time.",
  access: privilege("run_jobs"),
  refuses: ["file"],
  input: z.looseObject({}),
  output: object(() => ({ files: z.array(FileRecord) })),
  // The store may be slow, and no transaction may wait for it.
  prepare: async (_input, { actor, services, uploads }) => {
    if (uploads.length === 0) throw new DomainError("file", "malformed", "No file upload data found in request.");
    const marks = { username: actor.id };
    const files = await services.inputFiles.keepUploads(uploads, {
      folder: `files/${folderOf(actor.id)}/`,
      expires: "user_file_expiration",
      marks,
    });
    return { files: files.map((file) => ({ ...file })) };
  },
  async handler(_input, { prepared }) {
    return prepared;
  },
});
