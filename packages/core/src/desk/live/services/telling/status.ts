import { mayAccess } from "../../../../directory/access/require-access.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import { everything } from "../../../../search/ast.ts";
import { readingOf } from "../../../../work/jobs/access/rules/restriction.ts";
import type { Job } from "../../../../work/jobs/model.ts";
import { activeJobRecords } from "../../../../work/jobs/records.ts";
import type { Audience } from "./render.ts";

/** Running jobs that a status names, the last started ones; a page of more asks for them itself. */
export const MAX_JOBS = 1000;

/** The `status` of one second, for any audience. */
export type Status = (audience: Audience) => Readonly<Record<string, unknown>>;

type Deps = Pick<Cradle, "clock" | "internalJobs" | "jobs" | "shownState" | "snapshot">;

/**
 * Reads the `status` of this second (docs/contract/live.md#the-channel). `jobsChanged`: jobs came or went since the
 * last one.
 */
export function readStatus(deps: Deps, jobsChanged: boolean): Promise<Status> {
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
    return ({ actor, isAdmin }) => {
      const visible = jobs.filter((job) => mayAccess(actor, readingOf(job)));
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
