import * as z from "zod";
import { rows, universalActions } from "../../kernel/config/config-fields.ts";

/** Members of the configuration (docs/contract/configuration.md#keys). */
export const alertsConfig = {
  alert_universal_actions: universalActions()
    .default([{ enabled: true, hidden: true, condition: "alert_new", type: "snapshot" }])
    .describe("Actions of every alert."),
  alert_stale_actions: z.boolean().default(false).describe("Runs actions for alerts that end for lack of readings."),
  stale_alert_timeout: z.number().positive().default(90).describe("Seconds without readings that end an alert."),
};

/** Member of `db_maint`. */
export const alertsRetention = {
  alerts: rows("Newest alert invocations that are kept by the daily maintenance; live ones stay whatever the number."),
};
