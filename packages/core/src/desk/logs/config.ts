import { durationText } from "../../kernel/config/config-fields.ts";

/** Members of the configuration (docs/contract/configuration.md#keys). */
export const logsConfig = {
  log_archive_keep: durationText().default("30 days").describe("Text duration that packed logs of past days are kept."),
};
