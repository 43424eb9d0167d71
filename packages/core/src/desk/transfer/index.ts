import { definePlugin } from "../../kernel/plugins/plugin.ts";
import type { Services } from "../../kernel/plugins/services.ts";
import { tokenCollection } from "./collection.ts";
import { adminDeleteData } from "./operations/delete.ts";
import { adminExportData } from "./operations/export.ts";
import { adminImportData } from "./operations/import.ts";
import { getTransferToken } from "./operations/token.ts";
import { createTransfer, type TransferService } from "./service.ts";

declare module "../../kernel/plugins/services.ts" {
  interface Services {
    readonly transfer: TransferService;
  }
}

declare module "../../kernel/plugins/transfer.ts" {
  interface TransferCradle extends Services {}
}

/** Comes after all domains whose data a backup contains. */
export const transfer = definePlugin({
  id: "transfer",
  after: ["auth", "activity", "files", "jobs", "tickets", "internal-jobs", "live"],
  collections: [tokenCollection],
  operations: [getTransferToken, adminExportData, adminImportData, adminDeleteData],
  services: { transfer: createTransfer },
  loops: [
    { name: "transfer.tokens", everySec: 60, on: "leader", run: (now, { transfer: service }) => service.sweep(now) },
  ],
});
