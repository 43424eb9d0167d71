import * as z from "zod";
import { looseObject } from "../../wire/schemas/objects.ts";

/** Members of the configuration (docs/contract/configuration.md#keys). */
export const secretsConfig = {
  secrets: looseObject(() => ({
    max_value_size: z
      .int()
      .positive()
      .max(131_072)
      .default(131_072)
      .describe("Bytes of one value; the bound of one environment entry on Linux."),
    cache_derived_keys: z
      .boolean()
      .default(true)
      .describe("Keeps keys derived from the secret key in memory, ten minutes unused or an hour at most."),
  })).prefault({}),
};
