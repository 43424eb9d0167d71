import type { Cradle } from "../../../kernel/container.ts";
import type { Unit } from "../../../kernel/transactions/unit-of-work.ts";
import { activeJobCollection } from "../collection.ts";
import type { ActiveJob } from "../model.ts";

interface Dropping {
  readonly monitor: Pick<Cradle["jobs"]["monitor"], "abortIn">;
  /** Told to the workflow of a part. */
  readonly reason: string;
}

/** Takes a job away that waits in a line or for its time. Nothing is left of it, unless it is a part: its workflow waits for an end. */
export async function dropWaiting(unit: Unit, record: ActiveJob, { monitor, reason }: Dropping): Promise<void> {
  const { id, job } = record;
  if (typeof job.workflow?.["job"] === "string") return monitor.abortIn(unit, record, { reason });
  const jobs = unit.tx.collection(activeJobCollection);
  // A record that was changed since, as by leaving the line, cannot be updated: the flush then begins anew.
  await jobs.update(id, (stored) => stored);
  await jobs.delete(id);
  unit.emit("job.deleted", { id });
}
