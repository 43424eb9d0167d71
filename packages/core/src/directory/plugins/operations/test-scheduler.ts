import * as z from "zod";
import { defineCommand, privilege } from "../../../kernel/calls/operation.ts";
import { isKnownZone, machineZone } from "../../../lib/time/calendar.ts";
import { Id } from "../../../wire/fields/fields.ts";
import { looseObject, object } from "../../../wire/schemas/objects.ts";
import { PluginRecord } from "../model.ts";
import { trialItem } from "../rules/output/trigger-line.ts";
import { forceLocked, withDefaults } from "../rules/parameters/fields.ts";
import { requireAlone, requireType } from "./trials.ts";

/** The last second of the year 9999: calendars of later years differ. */
const MAX_EPOCH = 253_402_300_799;

export const testSchedulerPlugin = defineCommand({
  name: "test_scheduler_plugin",
  summary: "Run a scheduler plugin once for a minute and answer what it wrote; launches nothing.",
  access: privilege("edit_plugins"),
  refuses: ["plugin"],
  accepts: [PluginRecord],
  input: looseObject(() => ({
    id: Id,
    params: z.record(z.string(), z.unknown()).default({}),
    timezone: z
      .string()
      .refine((zone) => zone === "" || isKnownZone(zone))
      .default(""),
    /** Unix seconds; absent = now. */
    epoch: z.number().min(0).max(MAX_EPOCH).optional(),
  })),
  output: object(() => ({
    data: z.unknown(),
    stdout: z.string(),
    stderr: z.string(),
    child_cmd: z.string(),
    err: z.literal(true).optional(),
    description: z.string().optional(),
  })),
  async prepare(input, context) {
    const { actor, config, now, read, services, signal } = context;
    const { id, params: sent, timezone: zone, epoch = now } = input;
    requireAlone(context);
    const plugin = await requireType(context, id, "scheduler");
    const timezone = zone || config.tz || machineZone();
    const filled = withDefaults(plugin.params ?? [], sent);
    const params = actor.privileges["admin"] ? filled : forceLocked(plugin.params ?? [], filled, undefined);
    const item = trialItem({ pluginId: id, params, timezone, epoch });
    // The plugin may print its input, so it gets only jobs that the caller may see.
    const activeJobs = await read((tx) => services.activeJobs.startedOf(tx, actor));
    return services.schedulerTrials.run({ plugin, item, activeJobs, signal });
  },
  async handler(_input, { prepared }) {
    return prepared;
  },
});
