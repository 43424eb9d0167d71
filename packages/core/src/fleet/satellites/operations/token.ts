import * as z from "zod";
import { defineCommand, privilege } from "../../../kernel/calls/operation.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import { number } from "../../../wire/fields/fields.ts";
import { looseObject, object } from "../../../wire/schemas/objects.ts";
import { addressOf } from "../rules/address.ts";
import { Initial, initialOf } from "../rules/initial.ts";

const DAY_SEC = 86_400;
const MAX_SEC = 30 * DAY_SEC;

export const getSatelliteToken = defineCommand({
  name: "get_satellite_token",
  method: "POST",
  summary: "Create a token with which new agents load their package and configuration.",
  access: privilege("add_servers"),
  input: looseObject(() => ({
    ...Initial.shape,
    expires: number()
      .pipe(z.number().positive().max(MAX_SEC))
      .default(DAY_SEC)
      .describe("Seconds that the token is good for."),
  })),
  output: object(() => ({
    token: z.string().describe("64 hex digits."),
    base_url: z.string().describe("Where agents reach this service."),
    image: z.string().describe("Container image of the agent."),
    version: z.string().describe("Release of the agent."),
  })),
  async handler({ expires, ...members }, { actor, config, log, services, tx }) {
    const { image, version } = config.satellite;
    const address = addressOf(config.satellite.config, config.base_app_url);
    if (!address) throw new DomainError("satellite", "failed", "The address of this service is not usable by agents.");
    const token = await services.satellites.enrolment.create(tx, initialOf(members), expires);
    log.info({ username: actor.id, expires }, "A token for new agents was made");
    return { token, base_url: address.url, image, version };
  },
});
