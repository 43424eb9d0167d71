import * as z from "zod";

/** Members of the configuration (docs/contract/configuration.md#keys). */
export const logsConfig = {
  log_archive_keep: z.string().default("30 days").describe("Text duration that packed logs of past days are kept."),
};
