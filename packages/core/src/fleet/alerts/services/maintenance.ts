import { lastMark } from "../../../directory/activity/rules/maintenance.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { keepNewest } from "../../../kernel/keep-newest.ts";
import { createCalendar, OWN_ZONE } from "../../../lib/calendar.ts";
import type { SearchNode } from "../../../search/ast.ts";
import { invocationCollection } from "../collection.ts";

/** Keeps the newest `db_maint.alerts.max_rows` invocations, once a day; live ones are never removed. */
export type MaintainAlerts = (now: number, signal: AbortSignal, anyway?: boolean) => Promise<void>;

const ended: SearchNode = { kind: "term", field: "active", words: ["false"] };

type Deps = Pick<Cradle, "clock" | "config" | "snapshot" | "transact">;

export function createMaintenance(deps: Deps): MaintainAlerts {
  const { config } = deps;
  const calendar = createCalendar();
  // The first turn after a start counts as due: a host that is never up at night forgets too.
  let done: number | undefined;

  const prune = (signal: AbortSignal): Promise<void> =>
    keepNewest(deps, {
      ...{ collection: invocationCollection, sortBy: "start", where: ended, signal },
      kept: () => config.db_maint.alerts.max_rows,
    });

  return async (now, signal, anyway = false) => {
    const zone = config.tz ?? OWN_ZONE;
    const mark = lastMark(now, config.maintenance, { calendar, zone });
    if (mark === done && !anyway) return;
    await prune(signal);
    if (!signal.aborted) done = mark;
  };
}
