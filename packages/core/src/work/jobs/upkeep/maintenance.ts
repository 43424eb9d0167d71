import type { Cradle } from "../../../kernel/container.ts";
import { type Nightly, nightly } from "../../../kernel/running/nightly.ts";
import type { JobDeletion } from "./deletion.ts";
import type { JobStats } from "./stats.ts";

/** Keeps the newest `db_maint.jobs.max_rows` finished jobs, and counters of about a year. */
export const createMaintenance = (
  deps: Pick<Cradle, "config">,
  { deletion, stats }: { readonly deletion: JobDeletion; readonly stats: JobStats },
): Nightly =>
  nightly(deps, async (_now, signal) => {
    await deletion.prune(signal);
    await stats.prune(signal);
  });
