import { isLimited, mayAccess } from "../../../../directory/access/require-access.ts";
import type { Actor } from "../../../../kernel/calls/context.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import type { ReadTx } from "../../../../ports/storage/storage.ts";
import { hasWord } from "../../../../search/ast.ts";
import { keepingLinks, linksOf } from "../../../../work/jobs/access/hidden-parts.ts";
import { readingOf } from "../../../../work/jobs/access/rules/restriction.ts";
import { type ActiveJob, type Job, JobState } from "../../../../work/jobs/model.ts";
import { activeJobRecords } from "../../../../work/jobs/records.ts";
import type { InternalJobRow } from "../../../internal-jobs/model.ts";
import type { Audience } from "./render.ts";

/** Maximum jobs in a status; the ones that started last. A page that shows more asks for them itself. */
const MAX_JOBS = 1000;
const QUEUED = "queued" satisfies JobState;
const IN_LINE = hasWord("state", QUEUED);
const NOT_IN_LINE = hasWord(
  "state",
  JobState.options.filter((state) => state !== QUEUED),
);

/** The `status` of one second, rendered for an audience. */
export type Status = (audience: Audience) => Readonly<Record<string, unknown>>;

type Deps = Pick<Cradle, "clock" | "jobs" | "references" | "shownState" | "snapshot">;

interface Wanted {
  /** Jobs started or ended since the last status. */
  readonly jobsChanged: boolean;
  /** Internal jobs, on all nodes. */
  readonly internalJobs: readonly InternalJobRow[];
  /** Internal jobs started or ended. */
  readonly internalJobsChanged: boolean;
  /** Some subscribers have limits, so the visibility of tickets and jobs that jobs link to is looked up. */
  readonly isAnyLimited: boolean;
}

/** Reads what the `status` of this second needs (docs/contract/live.md#the-channel). */
export function readStatus(deps: Deps, wanted: Wanted): Promise<Status> {
  const { jobsChanged, isAnyLimited } = wanted;
  const { live } = deps.jobs.desk;
  return deps.snapshot(async (tx) => {
    const active = tx.collection(activeJobRecords);
    const { rows } = await active.find(NOT_IN_LINE, { sortBy: "started", descending: true, limit: MAX_JOBS });
    const line = await active.find(IN_LINE, { limit: MAX_JOBS });
    const jobs: readonly Job[] = rows.map((record) => live.view(record).job);
    const state = jobsChanged
      ? { full: await deps.shownState(tx, true), part: await deps.shownState(tx, false) }
      : undefined;
    const internal = {
      internalJobs: Object.fromEntries(wanted.internalJobs.map((job) => [job.id, job])),
      ...(wanted.internalJobsChanged ? { internalJobsChanged: true } : {}),
    };
    const epoch = deps.clock.now();
    const ownOf = await readOwn(deps, tx, { jobs, isAnyLimited });
    return ({ actor, isAdmin }) => {
      const visible = ownOf(actor);
      return {
        epoch,
        activeJobs: Object.fromEntries(visible.map((job) => [job.id, job])),
        ...(isAdmin ? internal : { internalJobs: {} }),
        numQueuedJobs: lengthOf(line, actor),
        ...(state ? { jobsChanged: true, state: isAdmin ? state.full : state.part } : {}),
      };
    };
  });
}

/**
 * Number of jobs in line that a caller may read, without invisible ones. If the line is longer than was read, a caller without
 * limits gets its full length.
 */
function lengthOf(
  { rows, total }: { readonly rows: readonly ActiveJob[]; readonly total: number },
  actor: Actor,
): number {
  const hidden = rows.filter(({ job }) => job["invisible"] || !mayAccess(actor, readingOf(job))).length;
  return (isLimited(actor) ? rows.length : total) - hidden;
}

/** The jobs that a caller may read, with links only to tickets and jobs that this caller may read too. */
async function readOwn(
  { references }: Deps,
  tx: ReadTx,
  { jobs, isAnyLimited }: { readonly jobs: readonly Job[]; readonly isAnyLimited: boolean },
): Promise<(actor: Actor) => readonly Job[]> {
  // A caller whose limits were set after this point sees no links in this second.
  const links = isAnyLimited ? jobs.map(linksOf) : [];
  const unique = (lists: readonly (readonly string[])[]): string[] => [...new Set(lists.flat())];
  const visibleJobs = await references.visibleTo(tx, "job", unique(links.map((each) => each.jobs)));
  const visibleTickets = await references.visibleTo(tx, "ticket", unique(links.map((each) => each.tickets)));
  return (actor) => {
    const own = jobs.filter((job) => mayAccess(actor, readingOf(job)));
    if (!isLimited(actor)) return own;
    const within = { jobs: visibleJobs(actor), tickets: visibleTickets(actor) };
    return own.map((job) => keepingLinks(job, within));
  };
}
