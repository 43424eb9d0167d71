import { definePlugin } from "../../kernel/plugin.ts";
import { file } from "./operations/serve.ts";
import { uploadFiles } from "./operations/upload.ts";
import { createFileStore } from "./service.ts";
import { createPlainFiles, EXPIRE_KIND, expireFile } from "./services/plain-files.ts";

export const files = definePlugin({
  id: "files",
  operations: [file, uploadFiles],
  services: { files: createFileStore, plainFiles: createPlainFiles },
  workers: { [EXPIRE_KIND]: expireFile },
  loops: [
    {
      name: "files.tidy",
      everySec: 3600,
      // Each node may have files of its own.
      on: "every-node",
      run: (now, { files: store }, signal) => store.tidy(now, signal),
    },
  ],
});
