import { definePlugin } from "../../kernel/plugins/plugin.ts";
import { getDoc, searchDocs } from "./operations.ts";
import { createManual, type Manual } from "./service.ts";

declare module "../../kernel/plugins/services.ts" {
  interface Services {
    readonly manual: Manual;
  }
}

export const documents = definePlugin({
  id: "documents",
  operations: [getDoc, searchDocs],
  services: { manual: createManual },
});
