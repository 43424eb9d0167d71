import type { Cradle } from "../../../kernel/container.ts";
import type { SearchableTable } from "../../../kernel/plugin.ts";
import { createCalendar, machineZone } from "../../../lib/calendar.ts";
import { everything } from "../../../search/ast.ts";
import { activityCollection } from "../collection.ts";
import { lastMark } from "../rules/maintenance.ts";

/** Forgets the oldest of what has been logged. */
export interface ActivityArchive {
  /** Keeps the newest `db_maint.activity.max_rows` rows, once a day at `maintenance`; `now` is Unix seconds. */
  maintain(now: number, signal: AbortSignal, anyway?: boolean): Promise<void>;
}

/** Rows per transaction, so that others get their turn. */
const BATCH = 500;

type Deps = Pick<Cradle, "config" | "snapshot" | "transact">;

export function createActivityArchive({ config, snapshot, transact }: Deps): ActivityArchive {
  const calendar = createCalendar();
  const zoneOf = (): string => config.tz ?? machineZone();
  // The first turn after a start counts as due: a host that is never up at night forgets too.
  let done: number | undefined;

  const prune = async (signal: AbortSignal): Promise<void> => {
    const { total: stored } = await snapshot((tx) => tx.collection(activityCollection).find(everything, { limit: 1 }));
    // On most days there is nothing to remove, and no reason to open a write.
    let removed = stored > config.db_maint.activity.max_rows ? BATCH : 0;
    while (removed === BATCH && !signal.aborted) {
      const { max_rows: kept } = config.db_maint.activity;
      removed = await transact(async ({ tx }) => {
        const rows = tx.collection(activityCollection);
        const { total } = await rows.find(everything, { limit: 1 });
        const limit = Math.min(BATCH, total - kept);
        if (limit <= 0) return 0;
        const oldest = await rows.find(everything, { sortBy: "epoch", limit });
        for (const { id } of oldest.rows) await rows.delete(id);
        return oldest.rows.length;
      });
    }
  };

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
