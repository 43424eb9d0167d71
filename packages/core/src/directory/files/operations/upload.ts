import * as z from "zod";
import { credentials, defineCommand } from "../../../kernel/calls/operation.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import { object } from "../../../wire/schemas/objects.ts";
import { folderOf } from "../rules/file-record.ts";

export const uploadFiles = defineCommand({
  name: "upload_files",
  files: true,
  summary:
    "Store files under their own names; the answer holds their addresses. The same name again replaces the file.",
  access: credentials,
  refuses: ["file"],
  input: z.looseObject({}),
  output: object(() => ({ urls: z.array(z.string()) })),
  // Storing files takes time, and no transaction may wait for it.
  async prepare(_input, { actor, config, services, uploads }) {
    if (uploads.length === 0) throw new DomainError("file", "malformed", "No file upload data found in request.");
    const keys = await services.plainFiles.keep(uploads, folderOf(actor.id));
    const base = config.base_app_url;
    return { urls: keys.map((key) => `${base}/${key}`) };
  },
  async handler(_input, { prepared }) {
    return prepared;
  },
});
