import * as z from "zod";
import type { QueryContext } from "../../../kernel/context.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { credentials, defineQuery } from "../../../kernel/operation.ts";
import { csv, flag, number, pageNumber, WordId } from "../../../wire/fields.ts";
import { asList, listOf } from "../../../wire/lists.ts";
import { activeJobCollection } from "../collection.ts";
import { Job } from "../model.ts";
import { compareBy, matchesFilters, pruned } from "../rules/filters.ts";
import { downloadToken } from "../rules/tokens.ts";
import { jobNotFound, maySeeJob, requireJob, wholeJob } from "./job-access.ts";

export const getJob = defineQuery({
  name: "get_job",
  method: "GET",
  summary: "Read one job, running or finished, with all its details.",
  access: credentials,
  input: z.looseObject({ id: WordId, remove: csv(z.string()).optional() }),
  output: z.object({ job: z.looseObject({ id: z.string() }), token: z.string() }),
  async handler({ id, remove = [] }, { actor, services, tx }) {
    const { desk, secretKey } = services.jobs;
    const active = await desk.read(id, tx);
    const job = active ? wholeJob(active) : await desk.final(id, tx);
    if (!job) throw jobNotFound(id);
    // Access first: what is removed must not decide it.
    requireJob(actor, job);
    const timelines = desk.live.get(id)?.timelines;
    const whole = active && timelines && timelines.second.length > 0 ? { ...job, timelines } : job;
    const shown = Object.fromEntries(Object.entries(whole).filter(([member]) => !remove.includes(member)));
    return { job: { ...shown, id }, token: downloadToken(id, secretKey) };
  },
});

const MAX_IDS = 10_000;

export const getJobs = defineQuery({
  name: "get_jobs",
  method: "GET",
  summary: "Read several jobs in the order of their ids; a missing or forbidden one has only `err`.",
  access: credentials,
  input: z.looseObject({
    ids: z
      .unknown()
      .optional()
      .meta({ type: "array", items: { type: "string" } }),
    verbose: flag().optional(),
  }),
  output: z.object({ jobs: z.array(z.looseObject({})) }),
  async handler({ ids, verbose = false }, { actor, services, tx }) {
    const wanted = csv(z.string()).safeParse(ids);
    if (!wanted.success || wanted.data.length === 0 || wanted.data.length > MAX_IDS)
      throw new DomainError("job", "malformed", "Missing or malformed ids parameter.");
    const jobs: Record<string, unknown>[] = [];
    for (const id of wanted.data) {
      const job = await visibleJob(id, { actor, services, tx });
      if (!job) jobs.push({ err: `Failed to locate job: ${id}` });
      else jobs.push(verbose ? job : pruned(job));
    }
    return { jobs };
  },
});

async function visibleJob(
  id: string,
  context: Pick<QueryContext, "actor" | "services" | "tx">,
): Promise<Job | undefined> {
  const { actor, services, tx } = context;
  const active = await services.jobs.desk.read(id, tx);
  const job = active ? wholeJob(active) : await services.jobs.desk.final(id, tx);
  return job && maySeeJob(actor, job) ? job : undefined;
}

export const getActiveJobs = defineQuery({
  name: "get_active_jobs",
  method: "GET",
  summary: "List jobs that are not final yet, without their details; any other parameter filters by equality.",
  access: credentials,
  input: z.looseObject({
    offset: pageNumber(0).optional(),
    limit: pageNumber(0).optional(),
    sort_by: z.string().default("started"),
    sort_dir: number().default(-1),
  }),
  output: listOf(Job),
  async handler(input, { actor, services, tx }) {
    const { desk } = services.jobs;
    const records = await tx.collection(activeJobCollection).list();
    const jobs = records
      .map((record) => desk.live.view(record).job)
      .filter((job) => maySeeJob(actor, job) && matchesFilters(job, input))
      .sort(compareBy(input.sort_by, input.sort_dir < 0 ? -1 : 1));
    const { offset = 0, limit = 0 } = input;
    return asList(limit > 0 ? jobs.slice(offset, offset + limit) : jobs.slice(offset), jobs.length);
  },
});
