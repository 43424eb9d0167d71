import type { DailyCount } from "../../kernel/daily-count.ts";
import { defineCollection } from "../../ports/collection.ts";

/** Mails of the day, of the whole installation in one row. */
export const mailCountCollection = defineCollection<DailyCount>({ name: "mail_counts", noun: "Mail Count" });
