import type { Cradle } from "../../kernel/container.ts";
import type { Transfer } from "../../kernel/plugins/transfer.ts";
import { recordsById } from "../../kernel/searches/pages-by-id.ts";
import { jobLaunchCollection, jobStatsCollection } from "./collection.ts";
import { logKey } from "./logs/job-logs.ts";
import { type FinalJob, Job, type JobStatsRow } from "./model.ts";
import { ownUploads } from "./rules/owned-files.ts";
import { outputFolder } from "./rules/stored-path.ts";
import { dayOfRow } from "./upkeep/rules/periods.ts";
import { dayEntries, dayRows } from "./upkeep/rules/stats-days.ts";

const PAGE = 500;

/** Jobs that have ended with their files and logs, and the counters of days. Running jobs are not transferred. */
export const jobTransfer: Transfer = {
  tables: {
    jobs: {
      shape: Job,
      newest: "completed",
      take: (members) => ({ record: { state: "complete", ...members } as FinalJob }),
      remove: ({ jobs }, unit, job: FinalJob) => jobs.deletion.remove(unit, job),
    },
  },
  files: {
    job_files: {
      item: "jobFiles",
      part: "files",
      index: "jobs",
      keys: "files/jobs/*/**",
      of: (job: FinalJob) => [outputFolder(job.id), ...ownUploads(job)],
    },
    job_logs: {
      item: "jobFiles",
      part: "logs",
      index: "jobs",
      keys: "logs/jobs/*/log.txt.gz",
      of: (job: FinalJob) => (job.log_uploaded ? [logKey(job.id)] : []),
    },
  },
  logs: {
    stat_data: { key: "global/stats", item: "statData", collection: jobStatsCollection, read: eachDay, take: dayRows },
  },
  own: [jobLaunchCollection],
};

/** Oldest day first; a day with thousands of sections is held in memory as a whole. */
async function* eachDay(deps: Pick<Cradle, "snapshot" | "jobs">): AsyncGenerator<Readonly<Record<string, unknown>>> {
  await deps.jobs.stats.flush();
  let rows: JobStatsRow[] = [];
  for await (const row of recordsById(deps.snapshot, jobStatsCollection, { size: PAGE })) {
    const [first] = rows;
    if (first && dayOfRow(first.id) !== dayOfRow(row.id)) {
      yield* dayEntries(rows);
      rows = [];
    }
    rows.push(row);
  }
  if (rows.length > 0) yield* dayEntries(rows);
}
