import * as z from "zod";
import { rows, sizeText, universalActions, universalLimits } from "../../kernel/config/config-fields.ts";
import { looseObject } from "../../wire/schemas/objects.ts";

/** Members of the configuration (docs/contract/configuration.md#keys). */
export const jobsConfig = {
  job_env: z.record(z.string(), z.string()).default({}).describe("Environment of every job."),
  job_universal_actions: looseObject(() => ({
    default: universalActions().default([{ enabled: true, condition: "error", type: "snapshot" }]),
    workflow: universalActions().default([]),
  }))
    .prefault({})
    .describe("Actions of every job, after the actions of its event and category."),
  job_universal_limits: looseObject(() => ({
    default: universalLimits().default([]),
    workflow: universalLimits().default([]),
  }))
    .prefault({})
    .describe("Limits of every job, where its event and category set none."),
  max_jobs_per_min: z
    .int()
    .nonnegative()
    .default(100)
    .describe("Starts of jobs in one minute, of all events together; 0 = unlimited."),
  max_jobs_per_workflow: z
    .int()
    .nonnegative()
    .default(1000)
    .describe("Jobs of one workflow run, ended ones and further attempts among them."),
  max_inline_job_log_size: sizeText().default("1 MB").describe("Size up to which a job's log is part of its details."),
  dead_job_timeout: z.number().positive().default(120).describe("Seconds of silence after which a job counts as lost."),
  drain_timeout_sec: z
    .number()
    .nonnegative()
    .default(0)
    .describe("Seconds that a stop waits for jobs that run inside this process, before they are aborted."),
  hook_env_enabled: z.boolean().default(false).describe("Lets hook texts read the environment of jobs."),
};

/** Member of `db_maint`. */
export const jobsRetention = {
  jobs: rows("Newest finished jobs that are kept by the daily maintenance, with logs and files."),
};
