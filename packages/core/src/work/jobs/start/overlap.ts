import type { Cradle } from "../../../kernel/container.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import type { Unit } from "../../../kernel/transactions/unit-of-work.ts";
import { allOf, hasWord } from "../../../search/ast.ts";
import { activeJobCollection } from "../collection.ts";
import { dropWaiting } from "../lifecycle/drop.ts";
import { isWaiting } from "../lifecycle/rules/delay.ts";
import type { ActiveJob, Job, JobState } from "../model.ts";
import { overlapOf } from "./rules/overlap.ts";
import { scopeOf } from "./rules/scope.ts";
import { countActive, type FactDeps, hasTarget, scopeLock } from "./start-facts.ts";

/** Throws `DomainError` when a job that is about to be launched must be skipped because another job of its event runs. */
export async function checkOverlap(unit: Unit, job: Job, title: string): Promise<void> {
  if (await isSkipped(unit, job)) throw new DomainError("job", "conflict", `Event is still running: ${title}`);
}

/**
 * The same check for a delayed job whose time has come, because others may have begun meanwhile. False = the job is skipped and
 * leaves no trace, as if it had not been launched. A sub-job is aborted instead, because its workflow waits for its end.
 */
export async function mayBegin(
  deps: FactDeps & Pick<Cradle, "clock">,
  unit: Unit,
  record: ActiveJob,
): Promise<boolean> {
  const { event } = record.job;
  if (isWaiting(record, deps.clock.now())) return true;
  if (!(await isSkipped(unit, record.job))) {
    await replaceOthers(deps, unit, record);
    return true;
  }
  const reason = `Event is still running: ${deps.eventRecords.get(event)?.title ?? event}`;
  await dropWaiting(unit, record, { monitor: deps.jobs.monitor, reason });
  unit.audit("warning", { description: `Failed to start delayed job: ${reason}`, keywords: [event] });
  return false;
}

/** Whether a job is skipped because others run. */
async function isSkipped({ tx }: Unit, job: Job): Promise<boolean> {
  if (overlapOf(job) !== "skip") return false;
  const scope = scopeOf(job);
  // Two concurrent launches must not both find no other job.
  await tx.lock(scopeLock(scope));
  return (await countActive(tx, begun(scope))) > 0;
}

/**
 * Aborts the jobs that a job replaces. Running ones continue as long as no server can run the new job, because they would end for
 * nothing.
 */
export async function replaceOthers(deps: FactDeps, unit: Unit, record: ActiveJob): Promise<void> {
  if (overlapOf(record.job) !== "replace") return;
  const scope = scopeOf(record.job);
  await unit.tx.lock(scopeLock(scope));
  const { rows } = await unit.tx.collection(activeJobCollection).find(begun(scope));
  const others = (await hasTarget(deps, unit, record)) ? rows : rows.filter((other) => !isRunning(other));
  await abortFor(deps, unit, { record, others });
}

/** The same for the first job in a line, which had no server when it was launched. Requires the lock. */
export async function replaceRunning(deps: FactDeps, unit: Unit, record: ActiveJob): Promise<void> {
  if (overlapOf(record.job) !== "replace") return;
  const running = allOf([hasWord("scope", scopeOf(record.job)), hasWord("state", RUNNING)]);
  const { rows } = await unit.tx.collection(activeJobCollection).find(running);
  const others = rows.filter(({ aborting, job }) => aborting === undefined && !job.complete);
  if (others.length > 0 && (await hasTarget(deps, unit, record))) await abortFor(deps, unit, { record, others });
}

interface Replacement {
  readonly record: ActiveJob;
  readonly others: readonly ActiveJob[];
}

async function abortFor({ jobs }: FactDeps, unit: Unit, { record, others }: Replacement): Promise<void> {
  for (const other of others) await jobs.monitor.abortIn(unit, other, { reason: `Replaced by job: ${record.id}` });
}

const RUNNING: JobState[] = ["starting", "active", "finishing"];
const isRunning = ({ job }: ActiveJob): boolean => RUNNING.includes(job.state);

/** Similar jobs that are due and not yet ending; the later seconds of a minute, which are launched in advance, do not count. */
const begun = (scope: string) =>
  allOf([hasWord("scope", scope), { kind: "not", node: hasWord("state", ["complete", "start_delay"]) }]);
