import { isLimited, mayAccess } from "../../../../directory/access/require-access.ts";
import type { Actor } from "../../../../kernel/calls/context.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import type { ReadTx } from "../../../../ports/storage/storage.ts";
import { everything } from "../../../../search/ast.ts";
import { keepingLinks, linksOf } from "../../../../work/jobs/access/hidden-parts.ts";
import { readingOf } from "../../../../work/jobs/access/rules/restriction.ts";
import type { Job } from "../../../../work/jobs/model.ts";
import { activeJobRecords } from "../../../../work/jobs/records.ts";
import type { Audience } from "./render.ts";

/** Running jobs that a status names, the last started ones; a page of more asks for them itself. */
const MAX_JOBS = 1000;

/** The `status` of one second, for any audience. */
export type Status = (audience: Audience) => Readonly<Record<string, unknown>>;

type Deps = Pick<Cradle, "clock" | "internalJobs" | "jobs" | "references" | "shownState" | "snapshot">;

interface Wanted {
  /** Jobs came or went since the last status. */
  readonly jobsChanged: boolean;
  /** Some subscribers have limits: the tickets and jobs that are named by jobs are looked up for them. */
  readonly isAnyLimited: boolean;
}

/** Reads the `status` of this second (docs/contract/live.md#the-channel). */
export function readStatus(deps: Deps, { jobsChanged, isAnyLimited }: Wanted): Promise<Status> {
  const { live } = deps.jobs.desk;
  return deps.snapshot(async (tx) => {
    const page = { sortBy: "started", descending: true, limit: MAX_JOBS };
    const { rows } = await tx.collection(activeJobRecords).find(everything, page);
    const jobs: readonly Job[] = rows.map((record) => live.view(record).job);
    const state = jobsChanged
      ? { full: await deps.shownState(tx, true), part: await deps.shownState(tx, false) }
      : undefined;
    const internalJobs = Object.fromEntries(deps.internalJobs.list().map((job) => [job.id, job]));
    const epoch = deps.clock.now();
    const ownOf = await readOwn(deps, tx, { jobs, isAnyLimited });
    return ({ actor, isAdmin }) => {
      const visible = ownOf(actor);
      return {
        epoch,
        activeJobs: Object.fromEntries(visible.map((job) => [job.id, job])),
        internalJobs: isAdmin ? internalJobs : {},
        numQueuedJobs: visible.filter((job) => job.state === "queued").length,
        ...(state ? { jobsChanged: true, state: isAdmin ? state.full : state.part } : {}),
      };
    };
  });
}

/** The jobs that a caller may read, each with only the tickets and jobs that this caller may read too. */
async function readOwn(
  { references }: Deps,
  tx: ReadTx,
  { jobs, isAnyLimited }: { readonly jobs: readonly Job[]; readonly isAnyLimited: boolean },
): Promise<(actor: Actor) => readonly Job[]> {
  // A caller whose limits came after this look is shown no links in this second.
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
