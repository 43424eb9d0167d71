import { definePlugin } from "../../kernel/plugins/plugin.ts";
import { createReferences, type References } from "./service.ts";

declare module "../../kernel/plugins/services.ts" {
  interface Services {
    readonly references: References;
  }
}

export const references = definePlugin({ id: "references", services: { references: createReferences } });
