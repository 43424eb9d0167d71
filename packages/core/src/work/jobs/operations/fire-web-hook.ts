import * as z from "zod";
import { webHookRecords } from "../../../directory/web-hooks/records.ts";
import type { PrepareContext } from "../../../kernel/calls/context.ts";
import { anyone, defineCommand } from "../../../kernel/calls/operation.ts";
import { InputError, RateError, SignalboxError } from "../../../kernel/errors/errors.ts";
import { Id } from "../../../wire/fields/fields.ts";
import { looseObject } from "../../../wire/schemas/objects.ts";
import { activeJobCollection } from "../collection.ts";
import type { ActiveJob } from "../model.ts";

const FireForJob = looseObject(() => ({ job: Id, server: Id, web_hook: Id, text: z.string().optional() }));
type FireForJob = z.infer<typeof FireForJob>;

/** The record of the action, in the form that a job would store. */
const FiredAction = looseObject(() => ({
  enabled: z.boolean(),
  type: z.string(),
  condition: z.string(),
  web_hook: z.string(),
  text: z.string(),
  /** Unix seconds. */
  date: z.number(),
  elapsed_ms: z.number(),
  code: z.literal(0),
  description: z.string(),
  details: z.string(),
}));

export const fireJobWebHook = defineCommand({
  name: "fire_job_web_hook",
  summary: "Fire a web hook in the name of a running job; for the hook plugin on the job's own server.",
  access: anyone,
  refuses: ["webhook"],
  input: FireForJob,
  output: FiredAction,
  async prepare(input, context) {
    const job = await requireOwnJob(input, context);
    const { actionRunner, jobs, webHooks } = context.services;
    if (!webHooks.admitJob(job.id)) throw new RateError(`Too many web hooks for job: ${job.id} (60/min)`);
    const { web_hook, text = "" } = input;
    const [action] = await actionRunner.run({
      side: "job",
      actions: [{ enabled: true, type: "web_hook", condition: "continue", web_hook, text }],
      data: await jobs.hookData(job),
      key: `${job.id}/${context.ids.short("h")}`,
      signal: jobs.stopping,
    });
    const { code, description, ...members } = { ...action };
    // The answer contains the whole record, even for a failure.
    if (code !== 0) throw new SignalboxError("webhook", String(description), { details: members });
    return { ...members, code: 0, description } as z.infer<typeof FiredAction>;
  },
  async handler(_input, { prepared }) {
    return prepared;
  },
});

/** Throws the same error for all faults, so that callers do not learn which part was right. */
async function requireOwnJob(input: FireForJob, { read, services }: PrepareContext): Promise<ActiveJob> {
  const { job, hook } = await read(async (tx) => ({
    job: await tx.collection(activeJobCollection).get(input.job),
    hook: await tx.collection(webHookRecords).get(input.web_hook),
  }));
  if (!job || !hook || !isCallOf(job, input) || !services.servers.anywhere(input.server))
    throw new InputError("Invalid.");
  return job;
}

/**
 * Only the running hook plugin of the job may call, on the job's server, and for the hook for which the job was launched
 * (docs/contract/web-hooks.md#firing-in-the-name-of-a-job).
 */
function isCallOf({ job: { state, server, plugin, params } }: ActiveJob, input: FireForJob): boolean {
  return (
    state === "active" && server === input.server && plugin === "hookplug" && params?.["web_hook"] === input.web_hook
  );
}
