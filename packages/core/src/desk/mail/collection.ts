import type { DailyCount } from "../../kernel/daily-count.ts";
import { defineCollection } from "../../ports/storage/collection.ts";
import type { OverdueRun, TicketMailBatch } from "./model.ts";

/** Mails sent today by the whole installation, in one record. */
export const mailCountCollection = defineCollection<DailyCount>({ name: "mail_counts", noun: "Mail Count" });

export const ticketMailCollection = defineCollection<TicketMailBatch>({
  name: "ticket_mails",
  noun: "Ticket Mail",
});

export const overdueRunCollection = defineCollection<OverdueRun>({ name: "overdue_runs", noun: "Overdue Run" });
