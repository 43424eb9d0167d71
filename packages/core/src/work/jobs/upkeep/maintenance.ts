import { lastMark } from "../../../directory/activity/rules/maintenance.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { createCalendar, OWN_ZONE } from "../../../lib/calendar.ts";
import type { JobDeletion } from "./deletion.ts";
import type { JobStats } from "./stats.ts";

/** Once a day at `maintenance`: keeps the newest `db_maint.jobs.max_rows` finished jobs, and counters of about a year. */
export function createMaintenance(
  { config }: Pick<Cradle, "config">,
  { deletion, stats }: { readonly deletion: JobDeletion; readonly stats: JobStats },
) {
  const calendar = createCalendar();
  // The first turn after a start counts as due: a host that is never up at night forgets too.
  let done: number | undefined;
  return async (now: number, signal: AbortSignal, anyway = false): Promise<void> => {
    const zone = config.tz ?? OWN_ZONE;
    const mark = lastMark(now, config.maintenance, { calendar, zone });
    if (mark === done && !anyway) return;
    await deletion.prune(signal);
    await stats.prune(signal);
    if (!signal.aborted) done = mark;
  };
}
