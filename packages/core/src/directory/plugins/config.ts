import * as z from "zod";
import { LATER } from "../../kernel/config/config-fields.ts";
import { looseObject } from "../../wire/schemas/objects.ts";

const identity = () =>
  looseObject(() => ({
    uid: z.union([z.string(), z.number()]).default("").describe("User that runs it; empty = the agent's own."),
    gid: z.union([z.string(), z.number()]).default("").describe("Group that runs it; empty = the agent's own."),
  })).prefault({});

/** Members of the configuration (docs/contract/configuration.md#keys). */
export const pluginsConfig = {
  plugins: looseObject(() => ({
    local_exec: z
      .boolean()
      .default(true)
      .describe("Lets plugins run as processes of this machine, where the host gives a way to start them."),
  })).prefault({}),
  default_plugin_credentials: looseObject(() => ({
    event: identity(),
    monitor: identity(),
    action: identity(),
    scheduler: identity(),
  })).prefault({}),
  local_api_hostname: z.string().default("localhost").describe(`Host that local plugins call. ${LATER}`),
};
