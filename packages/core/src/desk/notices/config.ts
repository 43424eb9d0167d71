import * as z from "zod";
import { webAddress } from "../../kernel/config/config-fields.ts";
import { looseObject } from "../../wire/schemas/objects.ts";

/** Members of the configuration (docs/contract/configuration.md#keys). */
export const noticesConfig = {
  notices: looseObject(() => ({
    enabled: z.boolean().default(true).describe("Sends notices of firings by routes; without it only actions do."),
    settle_sec: z
      .int()
      .min(0)
      .max(3600)
      .default(120)
      .describe("Seconds that a firing has to end by itself after the end of a firing it depends on, or of a job."),
    parent_wait: z
      .int()
      .min(0)
      .max(3600)
      .default(120)
      .describe("Seconds at most that a firing waits until the subjects it may depend on are evaluated."),
    presence_grace: z
      .int()
      .min(0)
      .max(3600)
      .default(180)
      .describe("Seconds after a start, or a change of the leader, before a silent server is reported."),
    max_per_hour: z.int().min(0).default(600).describe("Notices within an hour, of all receivers; 0 = any number."),
    fallback: z
      .string()
      .default("")
      .describe("Id of the receiver notified in place of one that cannot be reached; empty = the administrators."),
    keep_days: z.int().min(8).max(3650).default(30).describe("Days for which notices and decisions are kept."),
    group_actions: z
      .boolean()
      .default(true)
      .describe("Mails and channels of alerts' actions name all servers at once; off = one message per server."),
    ack_link_days: z
      .int()
      .min(1)
      .max(90)
      .default(7)
      .describe("Days for which the link in a notice acknowledges what the notice named."),
    watchdog_url: z
      .union([z.literal(""), webAddress()])
      .default("")
      .describe("Address that is called each minute while notices are decided and delivered in time; empty = none."),
  })).prefault({}),
};
