import * as z from "zod";
import { durationText } from "../../kernel/config/config-fields.ts";

/** Members of the configuration (docs/contract/configuration.md#keys). */
export const schedulesConfig = {
  scheduler_stagger_ms: z
    .number()
    .nonnegative()
    .default(50)
    .describe("Milliseconds between the starts of scheduled jobs that are due at once, on average of a second."),
  scheduler_dst: z
    .enum(["once", "wall"])
    .default("once")
    .describe("When clocks change: schedules run once for every local time, or follow local time as it is."),
  min_startup_trigger_uptime: durationText()
    .default("5 minutes")
    .describe("Text duration: startup triggers are skipped when the engine has been up longer."),
};
