import type { Cradle } from "../../../kernel/container.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import type { Unit } from "../../../kernel/transactions/unit-of-work.ts";
import { allOf, hasWord } from "../../../search/ast.ts";
import { activeJobCollection } from "../collection.ts";
import { dropWaiting } from "../lifecycle/drop.ts";
import type { ActiveJob, Job } from "../model.ts";
import { overlapOf } from "./rules/overlap.ts";
import { scopeOf } from "./rules/scope.ts";
import { countActive, scopeLock } from "./start-facts.ts";

type Deps = Pick<Cradle, "jobs">;

interface Launched {
  /** Of its event. */
  readonly title: string;
  /** False = it waits for its time, and is judged then. */
  readonly isNow: boolean;
}

/** Applies the overlap policy of a job that is about to be launched; throws `DomainError` when it is to be skipped. */
export async function applyOverlap(deps: Deps, unit: Unit, job: Job, { title, isNow }: Launched): Promise<void> {
  if (isNow && (await isSkipped(deps, unit, job)))
    throw new DomainError("job", "conflict", `Event is still running: ${title}`);
}

/**
 * The same for a job whose time has come, since others may have begun while it waited. False = it is skipped, and nothing is
 * left of it, as of one that was not launched; a part is aborted, since its workflow waits for an end.
 */
export async function mayBegin(
  deps: Deps & Pick<Cradle, "clock" | "eventRecords">,
  unit: Unit,
  record: ActiveJob,
): Promise<boolean> {
  const { job } = record;
  const { event, until = 0 } = job;
  if (until > deps.clock.now() || !(await isSkipped(deps, unit, job))) return true;
  const reason = `Event is still running: ${deps.eventRecords.get(event)?.title ?? event}`;
  await dropWaiting(unit, record, { monitor: deps.jobs.monitor, reason });
  unit.audit("warning", { description: `Failed to start delayed job: ${reason}`, keywords: [event] });
  return false;
}

/** Whether a job is left out for others that run. The jobs that it replaces are told to end. */
async function isSkipped({ jobs }: Deps, unit: Unit, job: Job): Promise<boolean> {
  const overlap = overlapOf(job);
  if (overlap !== "skip" && overlap !== "replace") return false;
  const { tx } = unit;
  const scope = scopeOf(job);
  // Two launches at once must not both find no other job.
  await tx.lock(scopeLock(scope));
  const others = begun(scope);
  if (overlap === "skip") return (await countActive(tx, others)) > 0;
  const { rows } = await tx.collection(activeJobCollection).find(others);
  for (const record of rows) await jobs.monitor.abortIn(unit, record, { reason: `Replaced by job: ${job.id}` });
  return false;
}

/** Similar jobs whose time has come and whose end has not begun: seconds of one minute are launched together. */
const begun = (scope: string) =>
  allOf([hasWord("scope", scope), { kind: "not", node: hasWord("state", ["complete", "start_delay"]) }]);
