import * as z from "zod";
import { credentials, defineQuery } from "../../../kernel/calls/operation.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import { flag } from "../../../wire/fields/fields.ts";
import { looseObject, object } from "../../../wire/schemas/objects.ts";

const Release = object(() => ({
  version: z.string(),
  title: z.string().optional(),
  published: z.string().optional().describe("ISO 8601."),
}));

export const getSatelliteReleases = defineQuery({
  name: "get_satellite_releases",
  summary: "List the releases that agents can be upgraded to.",
  access: credentials,
  refuses: ["satellite"],
  input: looseObject(() => ({ verbose: flag().optional().describe("Answers titles and dates besides.") })),
  output: object(() => ({ releases: z.union([z.array(z.string()), z.array(Release)]) })),
  async handler({ verbose }, { log, services }) {
    try {
      const known = await services.satellites.releases.list();
      const all = [{ version: "latest" }, ...known];
      return { releases: verbose ? all : all.map(({ version }) => version) };
    } catch (error) {
      // The remote server's answer belongs in the log only.
      log.warn({ error }, "The list of releases could not be fetched");
      throw new DomainError("satellite", "failed", "Failed to fetch the list of releases.", { cause: error });
    }
  },
});
