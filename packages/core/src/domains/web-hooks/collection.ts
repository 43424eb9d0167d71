import type { DailyCount } from "../../kernel/daily-count.ts";
import { defineCollection } from "../../ports/collection.ts";
import type { WebHook } from "./model.ts";

export const webHookCollection = defineCollection<WebHook>({ name: "web_hooks", noun: "Web Hook", resident: true });

/** One row a hook; changes with every firing, so it is kept out of memory and away from the definition. */
export const webHookCountCollection = defineCollection<DailyCount>({
  name: "web_hook_counts",
  noun: "Web Hook Count",
});
