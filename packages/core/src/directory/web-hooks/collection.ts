import type { DailyCount } from "../../kernel/daily-count.ts";
import { defineCollection } from "../../ports/storage/collection.ts";
import type { WebHook, WebHookDelivery } from "./model.ts";

export const webHookCollection = defineCollection<WebHook>({ name: "web_hooks", noun: "Web Hook", resident: true });

/** One row per hook. It changes with every firing, so it is not resident in memory and is separate from the definition. */
export const webHookCountCollection = defineCollection<DailyCount>({
  name: "web_hook_counts",
  noun: "Web Hook Count",
});

/** Firings that failed permanently; the oldest are removed first. */
export const webHookDeliveryCollection = defineCollection<WebHookDelivery>({
  name: "web_hook_deliveries",
  noun: "Web Hook Delivery",
  columns: { created: { type: "integer", read: ({ created }) => created } },
});
