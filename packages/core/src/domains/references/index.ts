import { definePlugin } from "../../kernel/plugin.ts";
import { createReferences } from "./service.ts";

export const references = definePlugin({ id: "references", services: { references: createReferences } });
