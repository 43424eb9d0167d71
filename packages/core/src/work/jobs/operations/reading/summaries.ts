import * as z from "zod";
import type { QueryContext } from "../../../../kernel/calls/context.ts";
import { credentials, defineQuery } from "../../../../kernel/calls/operation.ts";
import { isObject } from "../../../../lib/json/is-object.ts";
import { object } from "../../../../wire/schemas/objects.ts";
import type { Job } from "../../model.ts";
import { listActive } from "../../records.ts";
import { matchesFilters } from "../../rules/filters.ts";
import { JOB_MEMBERS } from "../../rules/job-members.ts";
import { maySeeJob } from "../job-access.ts";

type Counts = Record<string, number>;
type Members = Readonly<Record<string, unknown>>;
const counts = z.record(z.string(), z.int());
/** Filters: any member of a job or a path in one, with its required value. */
const Filters = z.looseObject({}) as unknown as z.ZodType<Members, Readonly<Record<string, string | number | boolean>>>;

const EventSummary = object(() => ({ id: z.string(), states: counts, sources: counts, targets: counts }));

export const getActiveJobSummary = defineQuery({
  name: "get_active_job_summary",
  method: "GET",
  summary: "Count jobs that are not final yet by event, state, source and target; any parameter filters by equality.",
  access: credentials,
  accepts: JOB_MEMBERS,
  input: Filters,
  output: object(() => ({ events: z.record(z.string(), EventSummary) })),
  async handler(input, context) {
    const events: Record<string, z.infer<typeof EventSummary>> = {};
    for (const { event, state, source = "", targets = [] } of await matching(input, context, isOfEvent)) {
      events[event] ??= { id: event, states: {}, sources: {}, targets: {} };
      const summary = events[event];
      count(summary.states, state);
      count(summary.sources, source);
      for (const target of targets) count(summary.targets, target);
    }
    return { events };
  },
});

export const getWorkflowJobSummary = defineQuery({
  name: "get_workflow_job_summary",
  method: "GET",
  summary: "Count jobs that are not final yet by the node of their workflow; any parameter filters by equality.",
  access: credentials,
  accepts: JOB_MEMBERS,
  input: Filters,
  output: object(() => ({ nodes: counts })),
  async handler(input, context) {
    const nodes: Counts = {};
    for (const { workflow } of await matching(input, context, () => true))
      if (isObject(workflow) && typeof workflow["node"] === "string") count(nodes, workflow["node"]);
    return { nodes };
  },
});

const isOfEvent = ({ type }: Job): boolean => type !== "adhoc";

function count(into: Counts, name: string): void {
  // The name may be one that every object inherits.
  into[name] = (Object.hasOwn(into, name) ? (into[name] ?? 0) : 0) + 1;
}

async function matching(
  input: Readonly<Record<string, unknown>>,
  { actor, services, tx }: QueryContext,
  isWanted: (job: Job) => boolean,
): Promise<Job[]> {
  const records = await listActive(tx);
  return records
    .map((record) => services.jobs.desk.live.view(record).job)
    .filter((job) => isWanted(job) && maySeeJob(actor, job) && matchesFilters(job, input));
}
