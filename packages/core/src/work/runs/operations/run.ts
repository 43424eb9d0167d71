import * as z from "zod";
import { discardIfRefused } from "../../../directory/files/discard-if-refused.ts";
import { type FileRecord, folderOf } from "../../../directory/files/rules/file-record.ts";
import type { Client, OperationContext } from "../../../kernel/calls/context.ts";
import { defineCommand, privilege } from "../../../kernel/calls/operation.ts";
import { isObject } from "../../../lib/json/is-object.ts";
import { object } from "../../../wire/schemas/objects.ts";
import { Event } from "../../events/model.ts";
import { mayNameFiles, withSizes } from "../../events/rules/run-request.ts";
import type { FinalJob, LaunchRequest } from "../../jobs/model.ts";
import { JOB_MEMBERS } from "../../jobs/rules/job-members.ts";
import { launchJob, planRun, RunEvent } from "./run-plan.ts";

export const runEvent = defineCommand({
  name: "run_event",
  parameters: "layered",
  wholeBody: "post_data",
  files: true,
  summary:
    "Launch a job of an event, with values and files for this run; `/wait` behind the path answers its final `job` instead.",
  access: privilege("run_jobs"),
  refuses: ["event", "file"],
  accepts: [Event, ...JOB_MEMBERS, "input", "until", "state"],
  example: { id: "nightly_report", params: { day: "2026-01-01" } },
  input: RunEvent,
  output: object(() => ({ id: z.string(), warnings: z.array(z.string()).optional() })),
  /** Only calls for the same event share a transaction, because some events have limits that take locks. */
  together: ({ id, title }) => `run_event ${id ?? title ?? ""}`,
  /** Files are checked and stored outside of the transaction, and only for a run that would be launched. */
  async prepare(input, context): Promise<RunFiles> {
    const { actor, client, services, uploads } = context;
    if (isWaiting(client)) services.jobs.finals.requireRoom();
    if (uploads.length === 0 && !mayNameFiles(input)) return NO_FILES;
    const { request } = await context.read((tx) => planRun(input, { ...context, tx }));
    const sizes = await services.inputFiles.named(request.input?.files ?? [], uploads.length);
    const folder = `files/${folderOf(actor.id)}/`;
    const options = { folder, expires: "user_file_expiration", marks: { username: actor.id } } as const;
    return { kept: await services.inputFiles.keepUploads(uploads, options), sizes };
  },
  async handler(input, context) {
    const { prepared: files, services } = context;
    try {
      const { request, idempotencyKey } = await planRun(input, context);
      const id = await launchJob(withFiles(request, files), idempotencyKey, context);
      return { id, ...warningsOf(input) };
    } catch (error) {
      discardIfRefused(error, () => services.inputFiles.discard(files.kept));
      throw error;
    }
  },
  async afterCommit(answer, context) {
    return isWaiting(context.client) ? { job: await finalJob(answer.id, context) } : answer;
  },
});

/** The job once it has ended. That may take hours, so the memory of the call's body is released for other callers first. */
export function finalJob(id: string, { reply, services, signal }: OperationContext): Promise<FinalJob> {
  reply.leavesInput?.();
  return services.jobs.finals.wait(id, signal);
}

const isWaiting = ({ pathSuffix }: Pick<Client, "pathSuffix">): boolean => pathSuffix === "wait";

/** Warns when `params` is not an object: it is ignored (docs/contract/events.md#running), which may not be intended. */
function warningsOf({ params }: { readonly params?: unknown }): { readonly warnings?: string[] } {
  if (params === undefined || params === null || isObject(params)) return {};
  const kind = Array.isArray(params) ? "a list" : `a ${typeof params}`;
  return { warnings: [`params is ${kind} and was left out: send an object, such as { "name": "value" }.`] };
}

/** The files of a launch, with their stored facts. */
export interface RunFiles {
  /** Files that came with the call. */
  readonly kept: readonly FileRecord[];
  /** Sizes of the files that its input names. */
  readonly sizes: ReadonlyMap<unknown, number>;
}

const NO_FILES: RunFiles = { kept: [], sizes: new Map() };

/** Uploaded files come after the files that the input names. */
export function withFiles(request: LaunchRequest, { kept, sizes }: RunFiles): LaunchRequest {
  const named = request.input?.files ?? [];
  if (kept.length + named.length === 0) return request;
  const files = [...withSizes(named, sizes), ...kept.map((file) => ({ ...file }))];
  return { ...request, input: { ...request.input, files } };
}
