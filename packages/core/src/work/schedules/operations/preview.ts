import * as z from "zod";
import type { QueryContext } from "../../../kernel/calls/context.ts";
import { defineQuery, privilege } from "../../../kernel/calls/operation.ts";
import { InputError } from "../../../kernel/errors/errors.ts";
import { createBreath, takeSteps } from "../../../kernel/running/breath.ts";
import { Id, number } from "../../../wire/fields/fields.ts";
import { reporting } from "../../../wire/issues.ts";
import { listOf } from "../../../wire/schemas/lists.ts";
import { looseObject, object } from "../../../wire/schemas/objects.ts";
import type { Trigger } from "../../events/model.ts";
import { requireEvent } from "../../events/records.ts";
import { MAX_EPOCH } from "../../events/rules/bounds.ts";
import { checkTriggers } from "../../events/rules/triggers/trigger-shape.ts";
import type { TriggerInputs } from "../../events/rules/triggers/trigger-types.ts";
import { presentReasons } from "../rules/explanation.ts";
import { type DueRun, scheduleOf } from "../rules/triggers.ts";
import { findUpcoming, type Planned, type SearchOptions, type Upcoming } from "../rules/upcoming.ts";
import { readSurroundings } from "../services/explain.ts";

export const MAX_RUNS = 100;

export const ReasonShape = object(() => ({ code: z.string(), description: z.string(), trigger: z.int().optional() }));

const Triggers: z.ZodType<unknown, TriggerInputs> = z
  .unknown()
  .superRefine(reporting(checkTriggers))
  .meta({ type: "array" }) as never;

export const Run = object(() => ({
  epoch: z.number().describe("Due second."),
  start: z.number().describe("Earliest start: later than `epoch` with a delay."),
  date: z.string().describe("Due second as a date of UTC."),
  trigger: z.int().describe("Place of the trigger in the list, from 0."),
  type: z.string(),
}));

export const previewEvent = defineQuery({
  name: "preview_event",
  method: "ANY",
  summary: "The next runs that an event, or a list of triggers, will make by the clock; launches nothing.",
  access: privilege("edit_events"),
  refuses: ["notfound"],
  abortable: true,
  input: looseObject(() => ({
    id: Id.optional().describe("Event whose runs are asked for."),
    triggers: Triggers.optional().describe("Triggers to try instead of the event's."),
    limit: number().pipe(z.int().min(1).max(MAX_RUNS)).default(10),
    from: number().pipe(z.number().min(0).max(MAX_EPOCH)).optional().describe("Unix seconds; absent = now."),
  })),
  output: object(() => ({
    ...listOf(Run).shape,
    until: z.number().describe("Last minute that was looked at: nine years ahead at most, fewer with many triggers."),
    conditional: z.boolean().describe("A scheduler plugin decides about each of the runs."),
    reasons: z.array(ReasonShape).describe("Why nothing starts at present; empty = it does."),
  })),
  async handler({ id, triggers, limit, from }, context) {
    if (id === undefined && triggers === undefined) throw new InputError("Missing parameter: id");
    const event = id === undefined ? undefined : await requireEvent(id, context);
    const list = (triggers ?? event?.triggers ?? []) as readonly Trigger[];
    const tried = event && { ...event, triggers: [...list] };
    const reasons = tried ? presentReasons(tried, await readSurroundings(context, tried)) : [];
    const schedule = scheduleOf({ triggers: [...list] });
    if (!schedule) return { rows: [], list: { length: 0 }, until: from ?? context.now, conditional: false, reasons };
    // Read only if the counter matters: a snapshot that stays open during the search would make other reads wait.
    const { nth } =
      event && schedule.every !== undefined ? await context.services.eventStates.read(context.tx, event.id) : {};
    const found = await searchRuns([{ schedule, nth }], { from: from ?? context.now, limit }, context);
    const rows = found.runs.map((run) => rowOf(list, run));
    const { until } = found;
    return { rows, list: { length: rows.length }, until, conditional: schedule.plugin !== undefined, reasons };
  },
});

/** Finds the next runs, and yields to other work in between. */
export async function searchRuns(
  planned: readonly Planned[],
  options: SearchOptions,
  { clock, services, signal }: Pick<QueryContext, "clock" | "services" | "signal">,
): Promise<Upcoming> {
  const breathe = createBreath(clock, signal);
  return takeSteps(findUpcoming(planned, options, services.scheduler.rules), async () => {
    await breathe();
    if (signal.aborted) throw new InputError("The caller has gone.");
  });
}

export function rowOf(triggers: readonly Trigger[], { launcher, now, until }: DueRun): z.output<typeof Run> {
  const { trigger } = launcher;
  const date = new Date(now * 1000).toISOString();
  return { epoch: now, start: until ?? now, date, trigger: triggers.indexOf(trigger), type: trigger.type };
}
