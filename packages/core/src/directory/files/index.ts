import type { ConfigOf } from "../../kernel/config/config.ts";
import { definePlugin } from "../../kernel/plugins/plugin.ts";
import type { filesConfig } from "./config.ts";
import { file } from "./operations/serve.ts";
import { uploadFiles } from "./operations/upload.ts";
import { createFileStore, type FileStore } from "./service.ts";
import { createPlainFiles, EXPIRE_KIND, expireFile, type PlainFiles } from "./services/plain-files.ts";

declare module "../../kernel/config/config.ts" {
  interface Config extends ConfigOf<typeof filesConfig> {}
}
declare module "../../kernel/plugins/services.ts" {
  interface Services {
    readonly files: FileStore;
    readonly plainFiles: PlainFiles;
  }
}

export const files = definePlugin({
  id: "files",
  operations: [file, uploadFiles],
  services: { files: createFileStore, plainFiles: createPlainFiles },
  workers: { [EXPIRE_KIND]: expireFile },
  maintenance: { "Stored files": (now, { files: store }, signal) => store.tidy(now, signal) },
  loops: [
    {
      name: "files.tidy",
      everySec: 3600,
      // Each node may have files that no other node sees.
      on: "every-node",
      run: (now, { files: store }, signal) => store.tidy(now, signal),
    },
  ],
});
