import * as z from "zod";
import type { CommandContext } from "../../../kernel/context.ts";
import { DomainError, SignalboxError } from "../../../kernel/errors.ts";
import { defineCommand, privilege } from "../../../kernel/operation.ts";
import { type FileRecord, folderOf } from "../rules/file-record.ts";
import type { LaunchRequest } from "../services/launches.ts";
import { planRun, RunEvent } from "./run-plan.ts";

export const runEvent = defineCommand({
  name: "run_event",
  method: "POST",
  parameters: "layered",
  wholeBody: "post_data",
  files: true,
  summary:
    "Launch a job of an event, with values and files for this run; `/wait` behind the path answers its final `job` instead.",
  access: privilege("run_jobs"),
  input: RunEvent,
  output: z.object({ id: z.string() }),
  /** Files are kept outside of the transaction, and only for a run that would be launched. */
  async prepare(input, context): Promise<FileRecord[]> {
    const { actor, services, uploads } = context;
    if (uploads.length === 0) return [];
    await context.read((tx) => planRun(input, { ...context, tx }));
    return services.inputFiles.keepUploads(uploads, {
      folder: `files/${folderOf(actor.id)}/`,
      expires: "user_file_expiration",
      marks: { username: actor.id },
    });
  },
  async handler(input, context) {
    const { prepared: files, services } = context;
    try {
      const { request, idempotencyKey } = await planRun(input, context);
      return { id: await launchJob(withFiles(request, files), idempotencyKey, context) };
    } catch (error) {
      // Anything else may be tried again with the same files. Not awaited: the transaction holds its locks until it ends.
      if (error instanceof SignalboxError) void services.inputFiles.discard(files);
      throw error;
    }
  },
  async afterCommit({ id }, { client, services, signal }) {
    return client.pathSuffix === "wait" ? { job: await services.jobs.finals.wait(id, signal) } : { id };
  },
});

/** Files of the call come after those that its input names. */
export function withFiles(request: LaunchRequest, files: readonly FileRecord[]): LaunchRequest {
  if (files.length === 0) return request;
  const added = files.map((file) => ({ ...file }));
  return { ...request, input: { ...request.input, files: [...(request.input?.files ?? []), ...added] } };
}

/** Throws `DomainError` "Failed to launch job: …". */
export async function launchJob(
  request: LaunchRequest,
  key: string | undefined,
  { audit, emit, services, tx }: CommandContext,
): Promise<string> {
  try {
    if (key !== undefined) return await services.launcher.launchIdempotent({ tx, emit, audit }, request, key);
    const job = await services.launcher.launch({ tx, emit, audit }, request);
    if (!job) throw new DomainError("event", "failed", "Failed to launch job: No job was made");
    return job.id;
  } catch (error) {
    if (!(error instanceof SignalboxError) || error.message.startsWith("Failed to launch job:")) throw error;
    throw new DomainError("event", "conflict", `Failed to launch job: ${error.message}`, { cause: error });
  }
}
