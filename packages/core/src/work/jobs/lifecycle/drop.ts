import type { Cradle } from "../../../kernel/container.ts";
import type { Unit } from "../../../kernel/transactions/unit-of-work.ts";
import { activeJobCollection } from "../collection.ts";
import type { ActiveJob } from "../model.ts";

interface Dropping {
  readonly monitor: Pick<Cradle["jobs"]["monitor"], "abortIn">;
  /** Passed to the workflow of a sub-job. */
  readonly reason: string;
}

/**
 * Removes a job that waits in a line or for its time, without a trace. A sub-job is aborted instead, because its workflow waits
 * for its end.
 */
export async function dropWaiting(unit: Unit, record: ActiveJob, { monitor, reason }: Dropping): Promise<void> {
  const { id, job } = record;
  if (typeof job.workflow?.["job"] === "string") return monitor.abortIn(unit, record, { reason });
  const jobs = unit.tx.collection(activeJobCollection);
  // If the record has changed since, for example because it left the line, this update fails, and the flush starts again.
  await jobs.update(id, (stored) => stored);
  await jobs.delete(id);
  unit.emit("job.deleted", { id });
}
