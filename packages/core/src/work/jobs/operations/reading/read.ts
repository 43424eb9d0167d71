import * as z from "zod";
import { isLimited } from "../../../../directory/access/require-access.ts";
import type { QueryContext } from "../../../../kernel/calls/context.ts";
import { credentials, defineQuery } from "../../../../kernel/calls/operation.ts";
import { sorter } from "../../../../kernel/searches/search-page.ts";
import { readByIds } from "../../../../kernel/searches/search-rows.ts";
import { filterMembers } from "../../../../lib/json/filter-members.ts";
import { andThen } from "../../../../lib/turns/awaitable.ts";
import { csv, idsOf, number, optionalFlag, pageNumber, WordId } from "../../../../wire/fields/fields.ts";
import { asList, listOf } from "../../../../wire/schemas/lists.ts";
import { looseObject, object } from "../../../../wire/schemas/objects.ts";
import { shownMembers, shownRecord } from "../../../../wire/schemas/shown-members.ts";
import { withoutHiddenParts } from "../../access/hidden-parts.ts";
import { activeJobCollection, jobCollection } from "../../collection.ts";
import { Job } from "../../model.ts";
import { listActive } from "../../records.ts";
import { matchesFilters, pruned, sortedBy } from "../../rules/filters.ts";
import { JOB_MEMBERS } from "../../rules/job-members.ts";
import { ShownJob } from "../../shown-job.ts";
import { jobNotFound, maySeeJob, requireShown, wholeJob } from "../job-access.ts";

export const getJob = defineQuery({
  name: "get_job",
  summary: "Read one job, running or finished, with all its details.",
  access: credentials,
  refuses: ["notfound"],
  input: looseObject(() => ({ id: WordId, remove: csv(z.string()).optional() })),
  output: object(() => ({ job: shownRecord(ShownJob), token: z.string() })),
  async handler({ id, remove = [] }, { actor, services, tx }) {
    const { desk, tokens } = services.jobs;
    const found = await desk.read(id, tx);
    const active = found && (await services.workflows.view(tx, found));
    const job = active ? wholeJob(active) : await desk.final(id, tx);
    if (!job) throw jobNotFound(id);
    // Access first, so that excluded members do not affect it.
    requireShown(actor, job);
    const timelines = active && (await desk.timelines(tx, id));
    const own = await withoutHiddenParts(services, { actor, tx }, job);
    const whole = active && timelines && timelines.second.length > 0 ? { ...own, timelines } : own;
    const shown = filterMembers(whole, (member) => !remove.includes(member));
    return { job: { ...shown, id }, token: tokens.ofLog(id) };
  },
});

export const getJobs = defineQuery({
  name: "get_jobs",
  summary: "Read several jobs in the order of their ids; a missing or forbidden one has only `err`.",
  access: credentials,
  refuses: ["job"],
  input: looseObject(() => ({ ids: idsOf("job"), verbose: optionalFlag() })),
  output: object(() => ({ jobs: z.array(shownRecord(ShownJob.partial().extend({ err: z.string().optional() }))) })),
  async handler({ ids, verbose = false }, context) {
    const jobs = await readByIds(
      context,
      { ids, noun: "job" },
      { read: (some) => visibleJobs(some, context), show: (job) => (verbose ? job : pruned(job)) },
    );
    return { jobs };
  },
});

/** Has the same length and order as the ids; missing and forbidden jobs look the same. */
async function visibleJobs(ids: readonly string[], context: QueryContext): Promise<(Job | undefined)[]> {
  const { actor, clock, services, tx } = context;
  const { live } = services.jobs.desk;
  // A text that cannot be an id is not looked up.
  const keys = ids.map((id) => (WordId.safeParse(id).success ? id : ""));
  const active = await tx.collection(activeJobCollection).getMany(keys);
  const final = await tx.collection(jobCollection).getMany(keys);
  const shown = keys.map(async (id, index) => {
    const running = active[index];
    const job = running?.job ?? final[index] ?? live.remembered(id, clock.now());
    if (!job || !maySeeJob(actor, job)) return undefined;
    const whole = running ? wholeJob(await services.workflows.view(tx, live.view(running))) : job;
    return withoutHiddenParts(services, { actor, tx }, whole);
  });
  return Promise.all(shown);
}

export const getActiveJobs = defineQuery({
  name: "get_active_jobs",
  summary: "List jobs that are not final yet, without their details; any other parameter filters by equality.",
  access: credentials,
  accepts: JOB_MEMBERS,
  input: looseObject(() => ({
    offset: pageNumber(0, Number.MAX_SAFE_INTEGER).optional(),
    limit: pageNumber(0, Number.MAX_SAFE_INTEGER).optional(),
    sort_by: sorter("started"),
    sort_dir: number().default(-1),
    ...shownMembers(Job, ["event", "category", "plugin", "server", "state", "source", "type"]),
  })),
  output: listOf(Job),
  handler(input, context) {
    const { actor, services } = context;
    return andThen(context.readAtOnce?.(activeJobCollection) ?? listActive(context.tx), (records) => {
      const matching = records
        .map((record) => services.jobs.desk.live.view(record).job)
        .filter((job) => maySeeJob(actor, job) && matchesFilters(job, input));
      const jobs = sortedBy(matching, input.sort_by, input.sort_dir < 0 ? -1 : 1);
      const { offset = 0, limit = 0 } = input;
      const page = limit > 0 ? jobs.slice(offset, offset + limit) : jobs.slice(offset);
      if (!isLimited(actor)) return asList(page, jobs.length);
      const shown = Promise.all(page.map((job) => withoutHiddenParts(services, context, job)));
      return andThen(shown, (rows) => asList(rows, jobs.length));
    });
  },
});
