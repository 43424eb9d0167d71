import * as z from "zod";
import { credentials, defineQuery } from "../../../kernel/calls/operation.ts";
import { NoParameters } from "../../../wire/schemas/lists.ts";
import { object } from "../../../wire/schemas/objects.ts";

export const getGlobalState = defineQuery({
  name: "get_global_state",
  summary: "Read the state of the whole installation; callers who are not administrators see only `scheduler`.",
  access: credentials,
  input: NoParameters,
  output: object(() => ({ state: z.record(z.string(), z.unknown()) })),
  async handler(_input, { actor, services, tx }) {
    return { state: await services.shownState(tx, Boolean(actor.privileges["admin"])) };
  },
});
