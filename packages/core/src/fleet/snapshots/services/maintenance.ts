import { lastMark } from "../../../directory/activity/rules/maintenance.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { createCalendar, OWN_ZONE } from "../../../lib/calendar.ts";
import type { SnapshotLibrary } from "./library.ts";
import type { Watches } from "./watches.ts";

/** Forgets once a day at `maintenance`; `now` is Unix seconds. */
export type Maintain = (now: number, signal: AbortSignal, anyway?: boolean) => Promise<void>;

export function createMaintain(
  { config }: Pick<Cradle, "config">,
  { library, watches }: { readonly library: SnapshotLibrary; readonly watches: Watches },
): Maintain {
  const calendar = createCalendar();
  // The first turn after a start counts as due: a host that is never up at night forgets too.
  let done: number | undefined;
  return async (now, signal, anyway = false) => {
    const zone = config.tz ?? OWN_ZONE;
    const mark = lastMark(now, config.maintenance, { calendar, zone });
    if (mark === done && !anyway) return;
    await watches.prune(now);
    await library.prune(now, signal);
    if (!signal.aborted) done = mark;
  };
}
