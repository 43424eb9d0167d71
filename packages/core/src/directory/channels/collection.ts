import type { DailyCount } from "../../kernel/daily-count.ts";
import { defineCollection } from "../../ports/storage/collection.ts";
import type { Channel } from "./model.ts";

export const channelCollection = defineCollection<Channel>({ name: "channels", noun: "Channel", resident: true });

/** One row per channel: how often it was used on its most recent day of use. */
export const channelCountCollection = defineCollection<DailyCount>({ name: "channel_counts", noun: "Channel Count" });
