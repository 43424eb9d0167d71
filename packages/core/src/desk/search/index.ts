import { definePlugin } from "../../kernel/plugins/plugin.ts";
import { bulkSearchDelete } from "./operations/bulk-delete.ts";
import { bulkSearchExport } from "./operations/export.ts";
import { createSearch, type SearchService } from "./service.ts";

declare module "../../kernel/plugins/services.ts" {
  interface Services {
    readonly search: SearchService;
  }
}

/** Searches over the tables of several domains. */
export const search = definePlugin({
  id: "search",
  after: ["auth", "activity", "jobs", "alerts", "servers", "snapshots", "tickets"],
  operations: [bulkSearchExport, bulkSearchDelete],
  services: { search: createSearch },
});
