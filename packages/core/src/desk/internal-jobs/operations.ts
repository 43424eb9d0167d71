import * as z from "zod";
import { admin, defineCommand, defineQuery } from "../../kernel/calls/operation.ts";
import { pause } from "../../kernel/running/loops.ts";
import { number } from "../../wire/fields/fields.ts";
import { asList, listOf, NoParameters } from "../../wire/schemas/lists.ts";
import { looseObject, object } from "../../wire/schemas/objects.ts";
import { InternalJobRow } from "./model.ts";

export const getInternalJobs = defineQuery({
  name: "get_internal_jobs",
  summary: "List the work that all nodes do in the background, with its progress.",
  access: admin,
  input: NoParameters,
  output: listOf(InternalJobRow),
  handler: async (_input, { services }) => asList(await services.internalJobs.everywhere()),
});

const MAX_SEC = 3600;
/** Seconds between two changes of the progress. */
const STEP_SEC = 1;

export const testInternalJob = defineCommand({
  name: "test_internal_job",
  summary: "Start an internal job that does nothing for a while.",
  access: admin,
  input: looseObject(() => ({
    duration: number().pipe(z.number().min(0).max(MAX_SEC)).default(60).describe("Seconds that it takes."),
  })),
  output: object(() => ({ id: z.string() })),
  async handler({ duration }, { actor, audit, clock, services, tx }) {
    const spec = {
      title: "Test job that does nothing",
      type: "maint",
      username: actor.id,
      params: { duration },
    } as const;
    return services.internalJobs.startAfter({ audit, tx }, spec, async ({ progress, signal }) => {
      for (let past = 0; past < duration; past += STEP_SEC) {
        await pause(clock, Math.min(STEP_SEC, duration - past) * 1000, signal);
        signal.throwIfAborted();
        progress((past + STEP_SEC) / duration);
      }
    });
  },
});
