import * as z from "zod";
import { cleanFilename } from "../../../../directory/files/rules/names.ts";
import type { OperationContext, Upload } from "../../../../kernel/calls/context.ts";
import { defineCommand, token } from "../../../../kernel/calls/operation.ts";
import { DomainError } from "../../../../kernel/errors/errors.ts";
import type { Services } from "../../../../kernel/plugins/services.ts";
import type { ReadTx } from "../../../../ports/storage/storage.ts";
import { object } from "../../../../wire/schemas/objects.ts";
import type { Job } from "../../model.ts";
import { outputFolder } from "../../rules/stored-path.ts";
import { admitReporter, identifyReporter, requireReporter } from "./agent-access.ts";
import { AgentCredentials } from "./agent-credentials.ts";

const StoredFile = object(() => ({
  key: z.string().describe("Path of the stored file, for the final update of the job."),
  size: z.int().describe("Bytes."),
}));
type StoredFile = z.infer<typeof StoredFile>;

/** Name that agents give to the field of the file (docs/contract/files.md#traps). */
const FIELD = "file1";
/** Most files of one job, the same as in the final update. */
const MAX_FILES = 1000;

export const uploadJobFile = defineCommand({
  name: "upload_job_file",
  files: true,
  summary: "Store an output file of a job, sent by its server as the form field `file1`; also after the job has ended.",
  access: token,
  refuses: ["auth", "file", "job"],
  input: AgentCredentials,
  output: StoredFile,
  admits: (sent, context) => admitReporter(sent, context, (id) => findJob(context.services, id)),
  prepare: (input, context) => identifyReporter(input, context),
  async handler({ id }, { ids, prepared, services, tx, uploads }) {
    const job = await findJob(services, id, tx);
    if (!job) throw new DomainError("job", "unknown", `Job not found: ${id}`);
    requireReporter(prepared, job);
    const upload = uploadIn(uploads);
    const folder = outputFolder(id);
    return { key: `${folder}${ids.token()}/${cleanFilename(upload.filename)}`, size: upload.sizeBytes };
  },
  // The store may be slow, and no transaction may wait for it.
  async afterCommit({ key }, { services, uploads, log }) {
    try {
      return await keep(key, uploadIn(uploads), services);
    } catch (error) {
      if (error instanceof DomainError) throw error;
      log.error({ error }, "An output file of a job could not be stored");
      throw new DomainError("file", "unavailable", "Failed to process uploaded file: it could not be stored", {
        cause: error,
      });
    }
  },
});

function uploadIn(uploads: OperationContext["uploads"]): Upload {
  const upload = uploads.find(({ field }) => field === FIELD);
  if (!upload) throw new DomainError("job", "malformed", "File upload data not found");
  return upload;
}

async function findJob({ jobs }: Services, id: string, tx?: ReadTx): Promise<Job | undefined> {
  const active = await jobs.desk.read(id, tx);
  if (active) return active.job;
  const final = await jobs.desk.final(id, tx);
  // If a job leaves no record, its files would never be removed.
  return final?.["ephemeral"] ? undefined : final;
}

async function keep(key: string, upload: Upload, services: Services): Promise<StoredFile> {
  const { files } = services;
  const [, , id = ""] = key.split("/");
  if ((await files.list(outputFolder(id), { limit: MAX_FILES })).length >= MAX_FILES)
    throw new DomainError("file", "conflict", `Failed to process uploaded file: the job has ${MAX_FILES} files`);
  const size = await files.keep(upload.key, key);
  let isKept = false;
  try {
    // The job may have been deleted meanwhile, and its folder cleared before this file was added.
    isKept = (await findJob(services, id)) !== undefined;
  } finally {
    if (!isKept) await files.remove(key);
  }
  if (!isKept) throw new DomainError("job", "unknown", `Job not found: ${id}`);
  return { key, size };
}
