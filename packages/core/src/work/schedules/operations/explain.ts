import * as z from "zod";
import { mayAccess } from "../../../directory/access/require-access.ts";
import type { QueryContext } from "../../../kernel/calls/context.ts";
import { credentials, defineQuery } from "../../../kernel/calls/operation.ts";
import { filterMembers } from "../../../lib/json/filter-members.ts";
import { Id, number } from "../../../wire/fields/fields.ts";
import { looseObject, object } from "../../../wire/schemas/objects.ts";
import { CURSOR, type Event } from "../../events/model.ts";
import { requireEvent } from "../../events/records.ts";
import { MAX_EPOCH } from "../../events/rules/bounds.ts";
import { readingOf } from "../../jobs/access/rules/restriction.ts";
import type { Job } from "../../jobs/model.ts";
import { explainTriggers, type MinuteFacts, pastReasons, presentReasons, type Reason } from "../rules/explanation.ts";
import { gapAt } from "../rules/gaps.ts";
import { scheduleOf } from "../rules/triggers.ts";
import { findJobs, findRefusals, readSurroundings } from "../services/explain.ts";

import { ReasonShape } from "./preview.ts";

const JobShape = object(() => ({
  id: z.string(),
  state: z.string(),
  now: z.number().optional(),
  started: z.number().optional(),
  until: z.number().optional(),
  completed: z.number().optional(),
  code: z.unknown().optional(),
  description: z.string().optional(),
}));

const Verdict = z
  .enum(["ran", "waiting", "due", "not_due", "held", "not_run"])
  .describe(
    "`ran`: it made the jobs listed. `waiting`: their start is put off. `due`: it will run. `not_due`: no trigger asks for it. `held`: it would be due, and something stops it at present. `not_run`: it was due, and made no job.",
  );

export const explainEventRun = defineQuery({
  name: "explain_event_run",
  method: "ANY",
  summary: "Why an event ran in a minute or not: triggers, windows, switches, gaps and the jobs that were made.",
  access: credentials,
  example: { id: "nightly_report", minute: 1_767_225_600 },
  input: looseObject(() => ({
    id: Id,
    minute: number().pipe(z.number().min(0).max(MAX_EPOCH)).describe("Unix seconds; rounded down to the minute."),
  })),
  output: object(() => ({
    minute: z.number(),
    verdict: Verdict,
    due: z.boolean().describe("The triggers ask for a run, and neither range nor blackout is against it."),
    reasons: z.array(ReasonShape),
    triggers: z.array(z.object({ index: z.int(), type: z.string(), due: z.boolean(), description: z.string() })),
    jobs: z.array(JobShape),
  })),
  async handler({ id, minute: given }, context) {
    const event = await requireEvent(id, context);
    const minute = Math.floor(given / 60) * 60;
    const facts = explainTriggers(event, minute, context.services.scheduler.rules);
    const { due, triggers } = facts;
    const { jobs, gone } = await readJobs(event, facts, context);
    const base = { minute, due, triggers: [...triggers], jobs: jobs.map(rowOf) };
    if (jobs.length > 0 || gone.length > 0) return { ...base, ...explainJobs(jobs, gone) };
    return { ...base, ...(await explainAbsence(event, { minute, facts }, context)) };
  },
});

/** Jobs that the caller may not read count as gone: a deleted event of the same id may have made them. */
async function readJobs(event: Event, { runs }: MinuteFacts, { actor, services, tx }: QueryContext) {
  const { jobs, gone } = await findJobs(tx, event, { runs, state: await services.eventStates.read(tx, event.id) });
  const isHidden = (job: Job): boolean => !mayAccess(actor, readingOf(job));
  return { jobs: jobs.filter((job) => !isHidden(job)), gone: [...gone, ...jobs.filter(isHidden).map(({ id }) => id)] };
}

interface Outcome {
  readonly verdict: z.input<typeof Verdict>;
  readonly reasons: Reason[];
}

const isDelayed = ({ state }: Job): boolean => state === "start_delay" || state === "queued";

function explainJobs(jobs: readonly Job[], gone: readonly string[]): Outcome {
  const reasons: Reason[] = [
    ...jobs.map(({ id }) => ({ code: "already_ran", description: `The minute made job ${id}.` })),
    ...gone.map((id) => ({ code: "job_deleted", description: `The minute made job ${id}, whose record is gone.` })),
    ...jobs
      .filter(({ state }) => state === "start_delay")
      .map(({ id }) => ({
        code: "delayed",
        description: `Job ${id} starts later: of a delay or second of its triggers, the stagger, or max_jobs_per_min.`,
      })),
    ...jobs
      .filter(({ state }) => state === "queued")
      .map(({ id }) => ({
        code: "queued",
        description: `Job ${id} waits in the queue of its event.`,
      })),
  ];
  return { verdict: jobs.length > 0 && jobs.every(isDelayed) ? "waiting" : "ran", reasons };
}

async function explainAbsence(
  event: Event,
  { minute, facts }: { minute: number; facts: MinuteFacts },
  context: QueryContext,
): Promise<Outcome> {
  const { now, services, tx } = context;
  const { cursor, gaps } = await services.eventStates.read(tx, CURSOR);
  const state = await services.eventStates.read(tx, event.id);
  const present = presentReasons(event, await readSurroundings(context, event));
  const isPast = minute + 60 <= now || minute <= (cursor ?? 0);
  const gap = gapAt({ id: CURSOR, ...(gaps ? { gaps } : {}) }, minute);
  const past = isPast ? pastReasons(event, scheduleOf(event), minute, { cursor, state, gap }) : [];
  const pending = (state.pending ?? []).some(({ now: due }) => Math.floor(due / 60) * 60 === minute);
  const refusals = isPast ? await findRefusals(tx, event, minute) : [];
  const reasons: Reason[] = [
    ...facts.reasons,
    ...refusals.map((description) => ({ code: "launch_refused", description })),
    ...(pending ? [{ code: "plugin_pending", description: "The scheduler plugin has not decided about it yet." }] : []),
    ...past,
    ...present,
  ];
  if (!facts.due) return { verdict: "not_due", reasons };
  if (isPast) return { verdict: "not_run", reasons };
  return { verdict: present.length > 0 ? "held" : "due", reasons };
}

const rowOf = ({ id, state, now, started, until, completed, code, description }: Job): z.input<typeof JobShape> => ({
  id,
  state: state ?? "complete",
  ...defined({ now, started, until, completed, code, description }),
});

const defined = (members: Readonly<Record<string, unknown>>): Record<string, never> =>
  filterMembers(members, (_name, value) => value !== undefined) as Record<string, never>;
