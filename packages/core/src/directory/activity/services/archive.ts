import type { Cradle } from "../../../kernel/container.ts";
import { keepNewest } from "../../../kernel/keep-newest.ts";
import type { SearchableTable } from "../../../kernel/plugin.ts";
import { createCalendar, OWN_ZONE } from "../../../lib/calendar.ts";
import { activityCollection } from "../collection.ts";
import { lastMark } from "../rules/maintenance.ts";

/** Forgets the oldest rows. */
export interface ActivityArchive {
  /** Keeps the newest `db_maint.activity.max_rows` rows, once a day at `maintenance`; `now` is Unix seconds. */
  maintain(now: number, signal: AbortSignal, anyway?: boolean): Promise<void>;
}

type Deps = Pick<Cradle, "clock" | "config" | "snapshot" | "transact">;

export function createActivityArchive(deps: Deps): ActivityArchive {
  const { config } = deps;
  const calendar = createCalendar();
  const zoneOf = (): string => config.tz ?? OWN_ZONE;
  // The first turn after a start counts as due: a host that is never up at night forgets too.
  let done: number | undefined;

  const prune = (signal: AbortSignal): Promise<void> =>
    keepNewest(deps, {
      ...{ collection: activityCollection, sortBy: "epoch", signal },
      kept: () => config.db_maint.activity.max_rows,
    });

  return {
    async maintain(now, signal, anyway = false) {
      const mark = lastMark(now, config.maintenance, { calendar, zone: zoneOf() });
      if (mark === done && !anyway) return;
      await prune(signal);
      if (!signal.aborted) done = mark;
    },
  };
}

/** For deletions that name their table; the deletion leaves a row of its own. */
export const removeRow: NonNullable<SearchableTable["remove"]> = (id, _order, { transact }) =>
  transact(async ({ tx }) => void (await tx.collection(activityCollection).delete(id)));
