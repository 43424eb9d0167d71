import { definePlugin } from "../../kernel/plugin.ts";
import { file } from "./operations.ts";
import { createFileStore } from "./service.ts";

export const files = definePlugin({
  id: "files",
  operations: [file],
  services: { files: createFileStore },
});
