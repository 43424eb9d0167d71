import * as z from "zod";
import { durationText, LATER } from "../../kernel/config/config-fields.ts";
import { looseObject } from "../../wire/schemas/objects.ts";

/** Members of the configuration (docs/contract/configuration.md#keys). */
export const filesConfig = {
  files: looseObject(() => ({
    require_auth_for_plain_paths: z
      .boolean()
      .default(false)
      .describe("Requires credentials for guessable paths: files of `upload_files`, public without it."),
  })).prefault({}),
  file_expiration: durationText()
    .default("5 years")
    .describe("Text duration that files of tickets and of `upload_files` are kept; `0` = for ever."),
  ttl: z.number().nonnegative().default(300).describe(`Seconds that public files may be cached. ${LATER}`),
};
