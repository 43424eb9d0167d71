import * as z from "zod";
import type { WorkHandler } from "../../../kernel/plugin.ts";

const JobItem = z.object({ id: z.string() });
const QueueItem = z.object({ scope: z.string() });
const AbortItem = z.object({ id: z.string(), server: z.string(), reason: z.string() });

const advanceJob: WorkHandler = ({ payload }, { jobs }) => jobs.monitor.advance(JobItem.parse(payload).id);

const passQueue: WorkHandler = ({ payload }, { jobs }) => jobs.queue.pass(QueueItem.parse(payload).scope);

/** Tells the agent; without a connection nobody is left to answer, so the job ends here. */
const sendAbort: WorkHandler = async ({ payload }, { jobs, servers }) => {
  const { id, server, reason } = AbortItem.parse(payload);
  if (servers.send(server, { cmd: "abort_job", data: { id, reason } })) return;
  await jobs.monitor.tell(id, { kind: "abort", reason, connected: false }, (_unit, record) =>
    record.aborting !== undefined && record.job.server === server ? record : undefined,
  );
};

const archiveLog: WorkHandler = ({ payload }, { jobs }) => jobs.logs.archive(JobItem.parse(payload).id);

const FILES_AT_ONCE = 100;

const removeFiles: WorkHandler = async ({ payload }, { blobs, jobs }) => {
  const { id } = JobItem.parse(payload);
  await jobs.logs.remove(id);
  for (let keys = [""]; keys.length > 0; ) {
    keys = await blobs.list(`files/jobs/${id}/`, { limit: FILES_AT_ONCE });
    for (const key of keys) await blobs.delete(key);
  }
};

export const JOB_WORKERS: Readonly<Record<string, WorkHandler>> = {
  "jobs.advance": advanceJob,
  "jobs.queue": passQueue,
  "jobs.send_abort": sendAbort,
  "jobs.archive_log": archiveLog,
  "jobs.remove_files": removeFiles,
};
