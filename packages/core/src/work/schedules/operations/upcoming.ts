import * as z from "zod";
import { mayAccess } from "../../../directory/access/require-access.ts";
import type { QueryContext } from "../../../kernel/calls/context.ts";
import { credentials, defineQuery } from "../../../kernel/calls/operation.ts";
import { Id, number } from "../../../wire/fields/fields.ts";
import { listOf } from "../../../wire/schemas/lists.ts";
import { looseObject, object } from "../../../wire/schemas/objects.ts";
import type { Event } from "../../events/model.ts";
import { eventRecords, requireEvent } from "../../events/records.ts";
import { MAX_EPOCH } from "../../events/rules/bounds.ts";
import { readEvent } from "../../events/rules/record/read.ts";
import { presentReasons } from "../rules/explanation.ts";
import { scheduleOf } from "../rules/triggers.ts";
import type { Planned } from "../rules/upcoming.ts";
import { readSurroundings } from "../services/explain.ts";
import { MAX_RUNS, ReasonShape, Run, rowOf, searchRuns } from "./preview.ts";

/**
 * Highest cost of one call. It is lower than for a preview, which only editors may request, because every caller may ask for
 * this.
 */
const MOST_COST = 100_000;

/** The same answer as `preview_event`, but for stored triggers only: their cost was accepted when they were saved. */
export const getUpcomingRuns = defineQuery({
  name: "get_upcoming_runs",
  method: "ANY",
  summary: "The next runs by the clock of an event, or of all enabled events that the caller may see.",
  access: credentials,
  refuses: ["notfound"],
  abortable: true,
  input: looseObject(() => ({
    id: Id.optional().describe("Event whose runs are asked for; absent = all that are enabled and within reach."),
    limit: number().pipe(z.int().min(1).max(MAX_RUNS)).default(10),
    from: number().pipe(z.number().min(0).max(MAX_EPOCH)).optional().describe("Unix seconds; absent = now."),
  })),
  output: object(() => ({
    ...listOf(Run.extend({ event: z.string() })).shape,
    until: z.number().describe("Last minute that was looked at: nine years ahead at most, fewer with many triggers."),
    conditional: z.boolean().describe("A scheduler plugin decides about some of the runs."),
    reasons: z.array(ReasonShape).describe("Why the event asked for does not start at present; empty = it does."),
  })),
  async handler({ id, limit, from }, context) {
    const event = id === undefined ? undefined : await requireEvent(id, context);
    const reasons = event ? presentReasons(event, await readSurroundings(context, event)) : [];
    const planned = await plannedOf(event ? [event] : await eventsInReach(context), context);
    const found = await searchRuns(planned, { from: from ?? context.now, limit, most: MOST_COST }, context);
    const rows = found.runs.flatMap((run) => {
      const of = planned[run.of]?.event;
      return of ? [{ ...rowOf(of.triggers, run), event: of.id }] : [];
    });
    const conditional = planned.some(({ schedule }) => schedule.plugin !== undefined);
    return { rows, list: { length: rows.length }, until: found.until, conditional, reasons };
  },
});

async function eventsInReach({ actor, definitions }: QueryContext): Promise<Event[]> {
  const events = await definitions.all(eventRecords);
  return events
    .map(readEvent)
    .filter(({ enabled, category, targets }) => enabled && mayAccess(actor, { category, targets }));
}

async function plannedOf(events: readonly Event[], { services, tx }: QueryContext) {
  const planned: (Planned & { readonly event: Event })[] = [];
  for (const event of events) {
    const schedule = scheduleOf(event);
    if (!schedule) continue;
    const { nth } = schedule.every === undefined ? {} : await services.eventStates.read(tx, event.id);
    planned.push({ event, schedule, nth });
  }
  return planned;
}
