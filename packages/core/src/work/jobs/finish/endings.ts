import type { Cradle } from "../../../kernel/container.ts";
import type { Unit } from "../../../kernel/transactions/unit-of-work.ts";
import type { WriteTx } from "../../../ports/storage/storage.ts";
import type { EventHistory } from "../../events/model.ts";
import { activeJobCollection, jobCollection } from "../collection.ts";
import type { FinalJob, Job } from "../model.ts";
import { resultCode } from "./rules/result-code.ts";

/**
 * Stores the ends of jobs: moves each job as a whole from the active to the finished collection, and updates the history of its
 * event (docs/contract/events.md#state). Jobs that end in one unit are written together when it ends.
 */
export interface Endings {
  add(unit: Unit, final: FinalJob): void;
  /** Writes the ends that were added in the unit. */
  write(unit: Unit): Promise<void>;
}

/** An event, and the jobs of it that have ended. */
type Ended = readonly [event: string, jobs: readonly Job[]];

type Deps = Pick<Cradle, "eventRecords" | "eventStates" | "workflows">;

export function createEndings(deps: Deps): Endings {
  const noted = new WeakMap<Unit, FinalJob[]>();
  return {
    add(unit, final) {
      const list = noted.get(unit);
      if (list) list.push(final);
      else noted.set(unit, [final]);
    },
    async write(unit) {
      const finals = noted.get(unit);
      if (!finals) return;
      noted.delete(unit);
      await unit.tx.collection(jobCollection).insertMany(finals.filter((final) => !final.ephemeral));
      await unit.tx.collection(activeJobCollection).deleteMany(finals.map(({ id }) => id));
      await deps.workflows.storeEnds(unit);
      // A retried job does not count as the last one of its event, because another attempt follows.
      const byEvent = Map.groupBy(
        finals.filter(({ event, retried }) => event !== "" && !retried),
        ({ event }) => event,
      );
      // These locks are taken last, and always in the same order, so that no two units deadlock.
      const inOrder = [...byEvent].toSorted(([one], [other]) => (one < other ? -1 : 1));
      for (const ended of inOrder) await writeHistory(deps, unit.tx, ended);
    },
  };
}

async function writeHistory({ eventRecords, eventStates }: Deps, tx: WriteTx, [event, jobs]: Ended): Promise<void> {
  if (!(await eventRecords.fresh(tx, event))) return;
  await eventStates.lockHistory(tx, event);
  await eventStates.writeHistory(tx, event, (history) => jobs.reduce(remember, history));
}

const remember = (history: EventHistory, { id, code, completed = 0, elapsed = 0 }: Job): EventHistory => ({
  ...history,
  last_job: id,
  last_code: resultCode(code),
  last_completed: Math.floor(completed),
  total_elapsed: (history.total_elapsed ?? 0) + Math.floor(elapsed * 100) / 100,
  total_count: (history.total_count ?? 0) + 1,
});
