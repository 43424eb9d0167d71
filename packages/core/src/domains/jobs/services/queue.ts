import type { Cradle } from "../../../kernel/container.ts";
import type { SearchNode } from "../../../search/ast.ts";
import { activeJobCollection } from "../collection.ts";
import type { ActiveJob } from "../model.ts";
import { advance } from "../rules/lifecycle.ts";
import { startLimits } from "../rules/limits.ts";
import type { JobDesk } from "./job-desk.ts";
import { countActive, hasCandidate, scopeLock, similarQueued } from "./start-facts.ts";

/** Lets queued jobs go when there is room (part 31 §6.2). */
export interface JobQueue {
  /** One group of similar jobs. Worker of "jobs.queue". */
  pass(scope: string): Promise<void>;
}

/** Jobs looked at in one pass; the rest keep their order for the next one. */
const MAX_PASS = 200;

export function createJobQueue(cradle: Cradle, { desk }: { desk: JobDesk }): JobQueue {
  const { clock, transact } = cradle;
  return {
    pass: (scope) =>
      transact(async (unit) => {
        const { tx } = unit;
        await tx.lock(scopeLock(scope));
        const jobs = tx.collection(activeJobCollection);
        const { rows } = await jobs.find(similarQueued(scope), { sortBy: "launched", limit: MAX_PASS });
        const line = rows.toSorted((a, b) => Number(Boolean(b.job.priority)) - Number(Boolean(a.job.priority)));
        const first = line[0];
        if (!first) return;
        const room =
          (startLimits(first.job.limits ?? []).concurrent ?? MAX_PASS) - (await countActive(tx, holding(scope)));
        const leaving: ActiveJob[] = [];
        for (const record of line) {
          if (leaving.length >= room || !(await hasCandidate(cradle, tx, record))) break;
          leaving.push(record);
        }
        for (const record of leaving) {
          const { record: ready } = advance(record, { kind: "slot" }, clock.now());
          await jobs.update(record.id, () => desk.meta(ready, ["Job is leaving the queue"]));
          await tx.enqueue("jobs.advance", { id: record.id }, { key: record.id });
        }
        for (const [index, record] of line.slice(leaving.length).entries()) {
          const position = record.job.priority ? 0 : index + 1;
          if (record.job.position !== position)
            await jobs.update(record.id, (stored) => ({ ...stored, job: { ...stored.job, position } }));
        }
      }),
  };
}

/** Jobs that hold a slot or are about to take one. */
const holding = (scope: string): SearchNode => ({
  kind: "and",
  nodes: [
    { kind: "term", field: "scope", words: [scope] },
    { kind: "term", field: "state", words: ["ready", "starting", "active"] },
  ],
});
