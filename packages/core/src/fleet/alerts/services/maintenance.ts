import { lastMark } from "../../../directory/activity/rules/maintenance.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { createCalendar, machineZone } from "../../../lib/calendar.ts";
import { everything, type SearchNode } from "../../../search/ast.ts";
import { invocationCollection } from "../collection.ts";

/** Keeps the newest `db_maint.alerts.max_rows` invocations, once a day; live ones are never removed. */
export type MaintainAlerts = (now: number, signal: AbortSignal, anyway?: boolean) => Promise<void>;

/** Rows per transaction, so that others get their turn. */
const BATCH = 500;
const ended: SearchNode = { kind: "term", field: "active", words: ["false"] };

type Deps = Pick<Cradle, "config" | "snapshot" | "transact">;

export function createMaintenance({ config, snapshot, transact }: Deps): MaintainAlerts {
  const calendar = createCalendar();
  // The first turn after a start counts as due: a host that is never up at night forgets too.
  let done: number | undefined;

  const prune = async (signal: AbortSignal): Promise<void> => {
    const { total } = await snapshot((tx) => tx.collection(invocationCollection).find(everything, { limit: 1 }));
    // On most days there is nothing to remove, and no reason to open a write.
    let removed = total > config.db_maint.alerts.max_rows ? BATCH : 0;
    while (removed === BATCH && !signal.aborted)
      removed = await transact(async ({ tx }) => {
        const rows = tx.collection(invocationCollection);
        const { total: stored } = await rows.find(everything, { limit: 1 });
        const limit = Math.min(BATCH, stored - config.db_maint.alerts.max_rows);
        if (limit <= 0) return 0;
        const oldest = await rows.find(ended, { sortBy: "start", limit });
        for (const { id } of oldest.rows) await rows.delete(id);
        return oldest.rows.length;
      });
  };

  return async (now, signal, anyway = false) => {
    const zone = config.tz ?? machineZone();
    const mark = lastMark(now, config.maintenance, { calendar, zone });
    if (mark === done && !anyway) return;
    await prune(signal);
    if (!signal.aborted) done = mark;
  };
}
