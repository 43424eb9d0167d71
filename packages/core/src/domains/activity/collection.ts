import { defineCollection } from "../../ports/collection.ts";
import type { Activity } from "./model.ts";
import { wordsOf } from "./rules/words.ts";

export const activityCollection = defineCollection<Activity>({
  name: "activity",
  noun: "Activity",
  columns: { epoch: { type: "integer", read: (row) => row.epoch } },
  terms: { action: (row) => wordsOf(row.action), keywords: (row) => row.keywords.flatMap(wordsOf) },
});
