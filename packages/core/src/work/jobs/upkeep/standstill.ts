import type { Cradle } from "../../../kernel/container.ts";
import { pause } from "../../../kernel/running/loops.ts";
import { hasWord } from "../../../search/ast.ts";
import { activeJobCollection } from "../collection.ts";
import type { JobMonitor } from "../lifecycle/monitor.ts";

export interface Standstill {
  /** Jobs that waited in lines and are dropped. */
  readonly flushed: number;
  /** Jobs that were told to end. */
  readonly aborted: number;
  /** Jobs that have not ended in time. */
  readonly left: number;
}

/** Drops the jobs that wait in lines, tells all others to end, and waits for them. */
export type StopAllJobs = (reason: string, signal: AbortSignal) => Promise<Standstill>;

const PAGE = 100;
/** Agents are given so long to end their processes. Seconds. */
const PATIENCE_SEC = 120;
const LOOK_MS = 250;

const QUEUED = hasWord("state", "queued");

export function createStopAll(
  deps: Pick<Cradle, "clock" | "snapshot" | "transact">,
  { monitor }: { readonly monitor: Pick<JobMonitor, "abort"> },
): StopAllJobs {
  return async (reason, signal) => {
    const told = new Set<string>();
    const until = deps.clock.now() + PATIENCE_SEC;
    let flushed = 0;
    for (;;) {
      signal.throwIfAborted();
      flushed += await flushLines(deps);
      const ids = await activeIds(deps);
      for (const id of ids.filter((each) => !told.has(each))) {
        told.add(id);
        await monitor.abort(id, { reason });
      }
      if (ids.length === 0 || deps.clock.now() >= until) return { flushed, aborted: told.size, left: ids.length };
      await pause(deps.clock, LOOK_MS, signal);
    }
  };
}

async function activeIds({ snapshot }: Pick<Cradle, "snapshot">): Promise<string[]> {
  const records = await snapshot((tx) => tx.collection(activeJobCollection).list());
  return records.map(({ id }) => id);
}

async function flushLines({ transact }: Pick<Cradle, "transact">): Promise<number> {
  let flushed = 0;
  for (let found = PAGE; found === PAGE; flushed += found)
    found = await transact(async ({ tx, emit }) => {
      const jobs = tx.collection(activeJobCollection);
      const { rows } = await jobs.find(QUEUED, { limit: PAGE });
      for (const { id } of rows) {
        // A record that was changed since, as by leaving the line, cannot be updated: the flush then begins anew.
        await jobs.update(id, (record) => record);
        await jobs.delete(id);
        emit("job.deleted", { id });
      }
      return rows.length;
    });
  return flushed;
}
