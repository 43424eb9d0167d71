import { targetList } from "../../kernel/config/config-fields.ts";
import { looseObject } from "../../wire/schemas/objects.ts";

/** Members of the configuration (docs/contract/configuration.md#keys). */
export const checksConfig = {
  checks: looseObject(() => ({
    allow: targetList
      .default([])
      .describe("Opens targets to checks that are not public, beside `web_hooks.allow`, as that does to web hooks."),
  })).prefault({}),
};
