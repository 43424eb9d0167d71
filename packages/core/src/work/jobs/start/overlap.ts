import type { Cradle } from "../../../kernel/container.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import type { Unit } from "../../../kernel/transactions/unit-of-work.ts";
import { allOf, hasWord } from "../../../search/ast.ts";
import { activeJobCollection } from "../collection.ts";
import type { Job } from "../model.ts";
import { overlapOf } from "./rules/overlap.ts";
import { scopeOf } from "./rules/scope.ts";
import { countActive, scopeLock } from "./start-facts.ts";

/** Applies the overlap policy of a job that is about to be launched; throws `DomainError` when it is to be skipped. */
export async function applyOverlap({ jobs }: Pick<Cradle, "jobs">, unit: Unit, job: Job, title: string): Promise<void> {
  const overlap = overlapOf(job);
  if (overlap !== "skip" && overlap !== "replace") return;
  const { tx } = unit;
  const scope = scopeOf(job);
  // Two launches at once must not both find no other job.
  await tx.lock(scopeLock(scope));
  const others = notOver(scope);
  if (overlap === "skip") {
    if ((await countActive(tx, others)) > 0)
      throw new DomainError("job", "conflict", `Event is still running: ${title}`);
    return;
  }
  const { rows } = await tx.collection(activeJobCollection).find(others);
  for (const record of rows) await jobs.monitor.abortIn(unit, record, { reason: `Replaced by job: ${job.id}` });
}

/** Similar jobs whose end has not begun. */
const notOver = (scope: string) =>
  allOf([hasWord("scope", scope), { kind: "not", node: hasWord("state", "complete") }]);
