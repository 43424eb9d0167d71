import * as z from "zod";
import { userRecords } from "../../directory/users/records.ts";
import { userKey } from "../../directory/users/rules/account.ts";
import type { CommandContext } from "../../kernel/calls/context.ts";
import { admin, defineCommand } from "../../kernel/calls/operation.ts";
import { NoParameters } from "../../wire/schemas/lists.ts";
import { object } from "../../wire/schemas/objects.ts";

const Started = object(() => ({ id: z.string() }));

export const adminRunMaintenance = defineCommand({
  name: "admin_run_maintenance",
  summary: "Start the daily maintenance now, in the background: old records and files, and a copy of the database.",
  access: admin,
  input: NoParameters,
  output: Started,
  async handler(_input, context) {
    const { services } = context;
    const spec = { title: "Daily maintenance manual run", type: "maint", ...(await startedBy(context)) } as const;
    return services.internalJobs.startAfter(context, spec, services.maintenance.run);
  },
});

export const adminRunOptimization = defineCommand({
  name: "admin_run_optimization",
  summary: "Check the database in the background, and compact it where it can be used meanwhile; the report is mailed.",
  access: admin,
  input: NoParameters,
  output: Started,
  async handler(_input, context) {
    const { services } = context;
    const spec = { title: "Database optimization", type: "db", ...(await startedBy(context)) } as const;
    return services.internalJobs.startAfter(context, spec, services.maintenance.optimize);
  },
});

/** The person who started the work, and the address for the report; API keys have none. */
async function startedBy({ actor, tx }: Pick<CommandContext, "actor" | "tx">) {
  const user = actor.kind === "user" ? await tx.collection(userRecords).get(userKey(actor.id)) : undefined;
  return { username: actor.id, ...(user?.email ? { email: user.email } : {}) };
}
