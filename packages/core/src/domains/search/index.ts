import { definePlugin } from "../../kernel/plugin.ts";
import { bulkSearchExport } from "./operations/export.ts";
import { createSearch } from "./service.ts";

/** What concerns the tables of several domains. */
export const search = definePlugin({
  id: "search",
  after: ["auth", "activity", "jobs", "alerts", "servers", "snapshots", "tickets"],
  operations: [bulkSearchExport],
  services: { search: createSearch },
});
