import type { Cradle } from "../../../kernel/container.ts";
import { pause } from "../../../kernel/running/loops.ts";
import { hasWord } from "../../../search/ast.ts";
import { activeJobCollection } from "../collection.ts";
import { dropWaiting } from "../lifecycle/drop.ts";
import type { JobMonitor } from "../lifecycle/monitor.ts";
import type { ActiveJob } from "../model.ts";
import { listActive } from "../records.ts";

export interface Standstill {
  /** Number of jobs that waited in lines and were dropped. */
  readonly flushed: number;
  /** Number of jobs that were asked to end. */
  readonly aborted: number;
  /** Number of jobs that did not end in time. */
  readonly left: number;
}

/** Drops the jobs that wait in lines, aborts all others, and waits for their end. */
export type StopAllJobs = (reason: string, signal: AbortSignal) => Promise<Standstill>;

const PAGE = 100;
/** Seconds that agents have to end their processes. */
const PATIENCE_SEC = 120;
const LOOK_MS = 250;

const QUEUED = hasWord("state", "queued");

export function createStopAll(
  deps: Pick<Cradle, "clock" | "snapshot" | "transact">,
  { monitor }: { readonly monitor: Pick<JobMonitor, "abort" | "abortIn"> },
): StopAllJobs {
  return async (reason, signal) => {
    const told = new Set<string>();
    const until = deps.clock.now() + PATIENCE_SEC;
    let flushed = 0;
    for (;;) {
      signal.throwIfAborted();
      flushed += await flushLines(deps, { monitor, reason });
      const active = await deps.snapshot(listActive);
      for (const { id } of active.filter((record) => !isEnding(record, told))) {
        told.add(id);
        await monitor.abort(id, { reason });
      }
      if (active.length === 0 || deps.clock.now() >= until) return { flushed, aborted: told.size, left: active.length };
      await pause(deps.clock, LOOK_MS, signal);
    }
  };
}

/** Whether a job is already ending, as dropped sub-jobs are. A suspended job is not. */
const isEnding = ({ id, job }: ActiveJob, told: ReadonlySet<string>): boolean =>
  !job.suspended && (told.has(id) || (job.complete === true && job.code === "abort"));

async function flushLines(
  { transact }: Pick<Cradle, "transact">,
  how: Parameters<typeof dropWaiting>[2],
): Promise<number> {
  let flushed = 0;
  for (let found = PAGE; found === PAGE; flushed += found)
    found = await transact(async (unit) => {
      const { rows } = await unit.tx.collection(activeJobCollection).find(QUEUED, { limit: PAGE });
      for (const record of rows) await dropWaiting(unit, record, how);
      return rows.length;
    });
  return flushed;
}
