import { defineCollection } from "../../ports/collection.ts";
import type { Activity } from "./model.ts";

export const activityCollection = defineCollection<Activity>({
  name: "activity",
  noun: "Activity",
  columns: { epoch: { type: "integer", read: (row) => row.epoch } },
  terms: { action: (row) => [row.action], keywords: (row) => row.keywords },
});
