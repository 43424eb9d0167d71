import * as z from "zod";
import { Flag } from "../../../../wire/fields/fields.ts";
import { object } from "../../../../wire/schemas/objects.ts";
import { MAX_EPOCH, MAX_SECONDS, MAX_VALUES } from "../bounds.ts";

const epoch = z.int().nonnegative().max(MAX_EPOCH).describe("Unix seconds.");
const duration = z.number().positive().max(MAX_EPOCH).describe("Seconds.");
const zone = z.string().describe("IANA name; absent = the zone of the configuration.");
const numbers = (least: number, most: number) => z.array(z.int().min(least).max(most)).max(MAX_VALUES);

/** Members of triggers that launch. */
const launching = () => ({
  params: z.record(z.string(), z.unknown()).optional().describe("Merged over the event's parameters."),
  tags: z.array(z.string()).optional().describe("Added to the job's."),
  data: z
    .union([z.record(z.string(), z.unknown()), z.array(z.unknown())])
    .optional()
    .describe("For the job's input."),
});
const body = z.string();

const of = <Type extends string, Members extends z.ZodRawShape>(type: Type, members: Members) =>
  object(() => ({ id: z.string().optional(), enabled: Flag.optional(), type: z.literal(type), ...members }));

const schedule = () =>
  of("schedule", {
    ...launching(),
    years: numbers(1, 9999).optional(),
    months: numbers(1, 12).optional(),
    days: numbers(-7, 31).optional().describe("1 to 31, or -1 to -7 from the end of the month."),
    weekdays: numbers(0, 6).optional().describe("Sunday is 0."),
    hours: numbers(0, 23).optional(),
    minutes: numbers(0, 59).optional(),
    timezone: zone.optional(),
    dst: z.enum(["once", "wall"]).optional(),
  });

/**
 * The members of a trigger by its type (docs/contract/schedules.md#triggers). Created on demand, because it is not needed at
 * startup.
 */
export const triggerSchema = () =>
  z.discriminatedUnion("type", [
    of("manual", launching()),
    schedule(),
    of("interval", { ...launching(), start: epoch, duration: duration.min(1) }),
    of("single", { ...launching(), epoch }),
    of("magic", { ...launching(), key: z.string().optional(), token: z.string().optional(), body: body.optional() }),
    of("keyboard", { ...launching(), keys: z.array(z.string()).min(1), watch: Flag.optional() }),
    of("startup", launching()),
    of("catchup", {}),
    of("nth", { every: z.int().min(2) }),
    of("range", { start: epoch.nullish(), end: epoch.nullish() }),
    of("blackout", { start: epoch, end: epoch }),
    of("delay", { duration }),
    of("precision", { seconds: z.array(z.int().min(0).max(59)).min(1).max(MAX_SECONDS) }),
    of("quiet", { invisible: Flag.optional(), ephemeral: Flag.optional() }),
    of("plugin", {
      plugin_id: z.string().regex(/^\w+$/),
      params: z.record(z.string(), z.unknown()).optional(),
      timezone: zone.optional(),
    }),
  ]);

/** A trigger as callers write it; its type determines its members. */
export type TriggerInput = z.input<ReturnType<typeof triggerSchema>>;
/** The members of a trigger of the type `schedule`, whose type may be omitted. */
export type ScheduleInput = Omit<z.input<ReturnType<typeof schedule>>, "type"> & { readonly type?: "schedule" };
/** Triggers as callers write them. */
export interface TriggerInputs extends ReadonlyArray<TriggerInput | ScheduleInput> {}
