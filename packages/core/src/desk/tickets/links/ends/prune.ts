import type { Cradle } from "../../../../kernel/container.ts";
import { below } from "../../../../search/ast.ts";
import { ticketProblemCollection, ticketRunCollection } from "../collection.ts";
import { isOpen } from "../rules/problem.ts";

/** Age at which an executed action is forgotten: no action is retried after so long. */
const RUNS_KEPT_SEC = 30 * 86_400;
/** Age after which a problem that has not come back is kept only while its ticket is open. */
const PROBLEMS_KEPT_SEC = 90 * 86_400;
const PAGE = 200;

type Deps = Pick<Cradle, "tickets" | "transact">;

/** Forgets old actions, and problems whose tickets are no longer open; one page per transaction. */
export async function prune(deps: Deps, now: number, signal: AbortSignal): Promise<void> {
  const { transact } = deps;
  for (let removed = PAGE; removed === PAGE && !signal.aborted; )
    removed = await transact(async ({ tx }) => {
      const runs = tx.collection(ticketRunCollection);
      const old = below("created", now - RUNS_KEPT_SEC);
      const { rows } = await runs.find(old, { sortBy: "created", limit: PAGE });
      for (const { id } of rows) await runs.delete(id);
      return rows.length;
    });
  for (let kept = 0, isLast = false; !isLast && !signal.aborted; ) {
    const page = await pruneProblems(deps, now, kept);
    kept += page.kept;
    isLast = page.seen < PAGE;
  }
}

/** Removes one page of old problems. `offset` skips the problems that are kept. */
function pruneProblems({ tickets, transact }: Deps, now: number, offset: number) {
  return transact(async (unit) => {
    const problems = unit.tx.collection(ticketProblemCollection);
    const old = below("last", now - PROBLEMS_KEPT_SEC);
    const { rows } = await problems.find(old, { sortBy: "last", offset, limit: PAGE });
    let kept = 0;
    for (const { id, ticket } of rows) {
      const stored = await tickets.load(unit, ticket);
      if (stored && isOpen(stored)) kept++;
      else await problems.delete(id);
    }
    return { seen: rows.length, kept };
  });
}
