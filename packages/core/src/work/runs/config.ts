import * as z from "zod";
import { durationText } from "../../kernel/config/config-fields.ts";
import { looseObject } from "../../wire/schemas/objects.ts";

/** Members of the configuration (docs/contract/configuration.md#keys). */
export const runsConfig = {
  run_event_overrides: z
    .enum(["open", "strict"])
    .default("open")
    .describe("Whether callers of `run_event` without `edit_events` may override more than parameters and input."),
};

/** Members of `client`. */
export const runsClientConfig = {
  job_upload_settings: looseObject(() => ({
    max_files_per_job: z.int().nonnegative().default(100).describe("Input files of one launch."),
    max_file_size: z.int().nonnegative().default(1_073_741_824).describe("Bytes of one input file."),
    accepted_file_types: z
      .string()
      .default("")
      .describe("Types or endings of input files, separated by commas; empty = all."),
    user_file_expiration: durationText()
      .default("30 days")
      .describe("Text duration that input files of callers are kept; `0` = until they are removed."),
    plugin_file_expiration: durationText()
      .default("30 days")
      .describe("Text duration that files which scheduler plugins give to jobs are kept."),
  })).prefault({}),
};
