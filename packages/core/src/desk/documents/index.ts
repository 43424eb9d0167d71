import { definePlugin } from "../../kernel/plugin.ts";
import { getDoc, searchDocs } from "./operations.ts";
import { createManual, type Manual } from "./service.ts";

declare module "../../kernel/services.ts" {
  interface Services {
    readonly manual: Manual;
  }
}

export const documents = definePlugin({
  id: "documents",
  operations: [getDoc, searchDocs],
  services: { manual: createManual },
});
