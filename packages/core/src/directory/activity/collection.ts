import { defineCollection } from "../../ports/storage/collection.ts";
import type { SearchTable } from "../../search/parse/table.ts";
import { analyseKeywords, analyseWords } from "../../search/text/analyse.ts";
import type { Activity } from "./model.ts";

export const activityCollection = defineCollection<Activity>({
  name: "activity",
  noun: "Activity",
  columns: { epoch: { type: "integer", read: (row) => row.epoch } },
  terms: { action: (row) => analyseKeywords(row.action), keywords: (row) => analyseWords(row.keywords) },
});

/** See docs/contract/search.md#fields. */
export const activityTable: SearchTable = {
  fields: {
    action: { kind: "keyword" },
    keywords: { kind: "words" },
    date: { kind: "hour", index: "epoch" },
  },
  defaultField: "keywords",
  sorters: {},
};
