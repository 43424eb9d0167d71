import type { Cradle } from "../../../kernel/container.ts";
import { createBreath } from "../../../kernel/running/breath.ts";
import type { Unit } from "../../../kernel/transactions/unit-of-work.ts";
import { putRecord } from "../../../kernel/transactions/update-if-there.ts";
import { hasPassed } from "../../../lib/time/has-passed.ts";
import { activeJobCollection, jobTimelinesCollection } from "../collection.ts";
import { isPending, type LiveJob } from "../lifecycle/live-jobs.ts";
import type { ActiveJob } from "../model.ts";
import type { Guarded, WatchTools } from "../upkeep/watch.ts";

/** Writes readings from memory to the storage, but not more often than needed. */
export interface ReadingsWriter {
  flush(everything: boolean): Promise<void>;
}

/** Seconds. Highest age of stored readings. */
const READINGS_SEC = 5;
const URGENT_SEC = 1;
const TIMELINES_SEC = 60;

type Tools = Pick<WatchTools, "desk" | "logs"> & { readonly guarded: Guarded };

type Deps = Pick<Cradle, "clock" | "jobs" | "transact">;

export function createReadingsWriter(deps: Deps, { desk, logs, guarded }: Tools): ReadingsWriter {
  const { clock } = deps;
  const isDue = ({ urgent, written }: LiveJob): boolean =>
    hasPassed(written, urgent ? URGENT_SEC : READINGS_SEC, clock.now());
  const areTimelinesDue = ({ timelines, timelinesWritten }: LiveJob, everything: boolean): boolean => {
    const last = timelines.second.at(-1)?.epoch ?? 0;
    const isLater = last > timelinesWritten || (last > 0 && timelinesWritten > clock.now());
    return isLater && (everything || hasPassed(timelinesWritten, TIMELINES_SEC, clock.now()));
  };
  async function flushLogs(): Promise<void> {
    // Another node has ended these jobs, so their output has no record to belong to.
    for (const id of logs.waiting()) if (!desk.live.get(id)) logs.forget(id);
    await logs.flush(logs.waiting());
  }

  async function flushOne(live: LiveJob, everything: boolean): Promise<void> {
    if (isPending(live) && (everything || isDue(live)))
      await guarded(live.id, () => desk.change(live.id, (unit, record) => unlessElsewhere(deps, unit, record)));
    if (areTimelinesDue(live, everything)) await guarded(live.id, () => writeTimelines(deps, live));
  }

  return {
    async flush(everything) {
      await flushLogs();
      const breathe = createBreath(clock, deps.jobs.stopping);
      for (const live of desk.live.all()) {
        await flushOne(live, everything);
        await breathe();
      }
    },
  };
}

/** Undefined for a job whose server has since connected to another node: that node has newer readings. */
async function unlessElsewhere({ jobs }: Deps, { tx }: Unit, record: ActiveJob): Promise<ActiveJob | undefined> {
  const { server } = record.job;
  const isElsewhere = server !== undefined && (await jobs.places.goneElsewhere(tx, [server])).has(server);
  if (isElsewhere) tx.afterCommit(() => jobs.desk.live.drop(record.id));
  return isElsewhere ? undefined : record;
}

async function writeTimelines({ clock, transact }: Deps, live: LiveJob): Promise<void> {
  const { id, timelines } = live;
  live.timelinesWritten = clock.now();
  await transact(async ({ tx }) => {
    // A job that has ended meanwhile has its timelines in its record.
    if (await tx.collection(activeJobCollection).get(id))
      await putRecord(tx.collection(jobTimelinesCollection), { id, ...timelines });
  });
}
