import * as z from "zod";
import type { WorkHandler } from "../../../kernel/plugins/plugin.ts";
import { object } from "../../../wire/schemas/objects.ts";

const JobItem = object(() => ({ id: z.string() }));
const QueueItem = object(() => ({ scope: z.string() }));
const AbortItem = object(() => ({ id: z.string(), server: z.string(), reason: z.string() }));

const advanceJob: WorkHandler = ({ payload }, { jobs }) => jobs.monitor.advance(JobItem.parse(payload).id);

const passQueue: WorkHandler = ({ payload }, { jobs }) => jobs.queue.pass(QueueItem.parse(payload).scope);

/** Tells the agent to end a job. Without a connection no agent can answer, so the job ends here. */
const sendAbort: WorkHandler = async ({ payload }, { jobs, servers }) => {
  const { id, server, reason } = AbortItem.parse(payload);
  if (servers.send(server, { cmd: "abort_job", data: { id, reason } })) return;
  await jobs.monitor.tell(id, { kind: "abort", reason, connected: false }, (_unit, record) =>
    record.aborting !== undefined && record.job.server === server ? record : undefined,
  );
};

const archiveLog: WorkHandler = async ({ payload }, { events, jobs }) => {
  const { id } = JobItem.parse(payload);
  await jobs.logs.archive(id);
  events.emit("job.updated", { id });
};

const FileItem = object(() => ({ id: z.string(), path: z.string() }));

/** Deletes an output file, or an upload that no other job reads. */
const removeFile: WorkHandler = async ({ payload }, { jobs }) => {
  const { path } = FileItem.parse(payload);
  await jobs.deletion.removeFile(path);
};

export const JOB_WORKERS: Readonly<Record<string, WorkHandler>> = {
  "jobs.advance": advanceJob,
  "jobs.queue": passQueue,
  "jobs.send_abort": sendAbort,
  "jobs.archive_log": archiveLog,
  "jobs.remove_files": (item, cradle, signal) => cradle.jobs.deletion.filesWorker(item, cradle, signal),
  "jobs.remove_file": removeFile,
  "jobs.limit_effects": (item, cradle, signal) => cradle.jobs.watch.limitWorker(item, cradle, signal),
  "jobs.suspension_notices": (item, cradle, signal) => cradle.jobs.suspension.worker(item, cradle, signal),
  "jobs.bulk_delete": (item, cradle, signal) => cradle.jobs.deletion.bulkWorker(item, cradle, signal),
};
