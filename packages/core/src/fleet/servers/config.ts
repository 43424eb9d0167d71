import * as z from "zod";
import { pattern, rows } from "../../kernel/config/config-fields.ts";

/** Members of the configuration (docs/contract/configuration.md#keys). */
export const serversConfig = {
  ping_freq_sec: z
    .number()
    .positive()
    .default(5)
    .describe("Seconds between pings to agents; more than 30 count as 30."),
  ping_timeout_sec: z.number().positive().default(30).describe("Seconds of silence after which an agent is gone."),
  hostname_display_strip: pattern()
    .default("\\.[\\w\\-]+\\.\\w+$")
    .describe("Pattern of the text to remove from names of servers when they are shown."),
  ip_display_strip: pattern()
    .default("^::ffff:")
    .describe("Pattern of the text to remove from addresses when they are shown."),
};

/** Member of `db_maint`. */
export const serversRetention = {
  servers: rows("Servers that are kept by the daily maintenance, oldest ids going first; connected ones stay.", 10_000),
};
