import * as z from "zod";
import { webAddress } from "../../kernel/config/config-fields.ts";
import { looseObject } from "../../wire/schemas/objects.ts";

const url = () => z.union([z.literal(""), webAddress()]);

/** Members of the configuration (docs/contract/configuration.md#keys). */
export const satellitesConfig = {
  satellite: looseObject(() => ({
    config: z
      .looseObject({
        host: z
          .string()
          .regex(/^[\w.:[\]-]+$/)
          .optional()
          .describe(
            "Name under which agents come back to this service; absent = the one that each of them reached it by.",
          ),
        port: z.int().min(1).max(65_535).optional().describe("Port there; absent = that of `base_app_url`, or 5522."),
        secure: z.boolean().optional().describe("Whether agents speak TLS; absent = as `base_app_url` says."),
      })
      .default({})
      .describe("Members that replace members of the configuration of every agent."),
    allow_secret_key_join: z
      .boolean()
      .default(true)
      .describe("Lets agents without an id of their own enrol with the secret key."),
    secret_key_grace_hours: z
      .number()
      .nonnegative()
      .default(24)
      .describe("Hours in which agents may still show tokens of an earlier secret key after it was replaced."),
    image: z.string().default("").describe("Container image of the agent, as `get_satellite_token` answers it."),
    version: z
      .string()
      .regex(/^\w[\w.-]*$/)
      .default("latest")
      .describe("Release of the agent that is installed and upgraded to."),
    base_url: url()
      .default("")
      .describe(
        "Address of the packages of the agent, with `/latest/download/` and `/download/<version>/` below; empty = nowhere.",
      ),
    list_url: url().default("").describe("JSON list of the agent's releases; empty = only the latest is offered."),
    cache_ttl: z.number().nonnegative().default(3600).describe("Seconds that lists and packages of releases are kept."),
  })).prefault({}),
};
