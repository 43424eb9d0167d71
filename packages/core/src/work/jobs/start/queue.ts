import type { Cradle } from "../../../kernel/container.ts";
import type { Unit } from "../../../kernel/transactions/unit-of-work.ts";
import type { WriteTx } from "../../../ports/storage/storage.ts";
import { allOf, hasWord, type SearchNode } from "../../../search/ast.ts";
import { activeJobCollection } from "../collection.ts";
import type { JobDesk } from "../lifecycle/job-desk.ts";
import { advance } from "../lifecycle/rules/lifecycle.ts";
import type { ActiveJob } from "../model.ts";
import { replaceRunning } from "./overlap.ts";
import { startLimitsOf } from "./rules/overlap.ts";
import { scopeOf } from "./rules/scope.ts";
import { countActive, hasCandidate, scopeLock, similarQueued } from "./start-facts.ts";

/** Lets queued jobs leave their line when there is room (docs/contract/jobs.md#similar-jobs-and-the-line). */
export interface JobQueue {
  /** Checks the line of one group of similar jobs. Worker of "jobs.queue". */
  pass(scope: string): Promise<void>;
}

/** Most jobs read in one pass; the others keep their order for the next one. */
const MAX_PASS = 100;

type Deps = Pick<
  Cradle,
  | (
      | "alerts"
      | "clock"
      | "definitions"
      | "eventRecords"
      | "eventStates"
      | "expressions"
      | "jobs"
      | "random"
      | "servers"
    )
  | "transact"
>;

export function createJobQueue(deps: Deps, { desk }: { desk: JobDesk }): JobQueue {
  const { clock, transact } = deps;

  async function letGo(tx: WriteTx, record: ActiveJob): Promise<void> {
    const { record: ready } = advance(record, { kind: "slot" }, clock.now());
    const noted = desk.meta(ready, ["Job is leaving the queue"]);
    await tx.collection(activeJobCollection).update(record.id, () => noted);
    await tx.enqueue("jobs.advance", { id: record.id }, { key: record.id });
  }

  return {
    pass: (scope) =>
      transact(async (unit) => {
        const { tx } = unit;
        await tx.lock(scopeLock(scope));
        const line = await lineOf(tx, scope);
        const [first] = line;
        // A server for it may be connected by now.
        if (first) await replaceRunning(deps, unit, first);
        const leaving = await goingNow(deps, unit, line);
        for (const record of leaving) await letGo(tx, record);
        await renumber(tx, line.slice(leaving.length));
      }),
  };
}

/** The front of the line: priority first, then the oldest. */
async function lineOf(tx: WriteTx, scope: string): Promise<ActiveJob[]> {
  const jobs = tx.collection(activeJobCollection);
  const page = { sortBy: "launched", limit: MAX_PASS };
  const inLine = (isFirst: boolean): SearchNode => {
    const priority = hasWord("priority", "yes");
    return allOf([similarQueued(scope), isFirst ? priority : { kind: "not", node: priority }]);
  };
  const { rows: first } = await jobs.find(inLine(true), page);
  const { rows: others } = await jobs.find(inLine(false), page);
  return [...first, ...others].slice(0, MAX_PASS);
}

/**
 * Queued jobs that may start now: from the front, as many as there are free slots by the first job's limit, and only while a
 * server is available.
 */
async function goingNow(deps: Deps, unit: Unit, line: readonly ActiveJob[]): Promise<ActiveJob[]> {
  const [first] = line;
  if (!first) return [];
  const { concurrent = MAX_PASS } = startLimitsOf(first.job);
  const room = concurrent - (await countActive(unit.tx, holdersLike(first)));
  const leaving: ActiveJob[] = [];
  for (const record of line) {
    if (leaving.length >= room || !(await hasCandidate(deps, unit, record))) break;
    leaving.push(record);
  }
  return leaving;
}

async function renumber(tx: WriteTx, line: readonly ActiveJob[]): Promise<void> {
  for (const [index, record] of line.entries()) {
    const position = record.job.priority ? 0 : index + 1;
    if (record.job.position === position) continue;
    const moved = { ...record, job: { ...record.job, position } };
    await tx.collection(activeJobCollection).update(record.id, () => moved);
  }
}

/** Similar jobs that hold a slot or are about to take one. */
const holdersLike = ({ job }: ActiveJob) =>
  allOf([hasWord("scope", scopeOf(job)), hasWord("state", ["ready", "starting", "active"])]);
