import type { Cradle } from "../../kernel/container.ts";
import type { RemovalOrder, SearchableTable } from "../../kernel/plugins/plugin.ts";
import type { Snapshot } from "../../kernel/transactions/unit-of-work.ts";
import { afterId, allOf, type SearchNode } from "../../search/ast.ts";
import type { InternalJob } from "../internal-jobs/model.ts";

/** Searches that name their table, and searches that last longer than one snapshot should. */
export interface SearchService {
  readonly read: Snapshot;
  readonly tables: ReadonlyMap<string, SearchableTable>;
  /** Removes matching records one by one, by id. A record that is added meanwhile stays. */
  removeAll(what: BulkRemoval, job: Pick<InternalJob, "progress" | "stat">): Promise<void>;
}

export interface BulkRemoval {
  readonly index: string;
  readonly where: SearchNode;
  readonly order: RemovalOrder;
}

const PAGE = 100;
/** Lists whose pages are notified of a deletion. */
const TOLD = ["jobs", "tickets", "alerts", "snapshots"] as const;

export function createSearch(deps: Pick<Cradle, "events" | "handlers" | "registry" | "snapshot">): SearchService {
  const { events, handlers, registry, snapshot } = deps;
  return {
    read: (...all) => snapshot(...all),
    tables: registry.searchTables,
    async removeAll(what, job) {
      let seen = 0;
      for await (const { id, left } of eachMatching(deps, what)) {
        await handlers.remove(what.index, id, what.order);
        seen += 1;
        job.stat("deleted", seen);
        job.progress(seen / (seen + left));
      }
      const list = TOLD.find((each) => each === what.index);
      if (list) events.emit("bulk.deleted", { list });
    },
  };
}

/** Yields matching ids in order, one page per snapshot, with the number that are left; no more ids than matched at first. */
async function* eachMatching(
  { registry, snapshot }: Pick<Cradle, "registry" | "snapshot">,
  { index, where, order }: BulkRemoval,
): AsyncGenerator<{ readonly id: string; readonly left: number }> {
  const { collection } = registry.searchTables.get(index) ?? {};
  for (let after = "", left = Number.POSITIVE_INFINITY; collection && left > 0; ) {
    const page = { sortBy: "id", limit: PAGE };
    const { rows, total } = await snapshot((tx) =>
      tx.collection(collection).find(allOf([where, afterId(after)]), page),
    );
    left = rows.length < PAGE ? rows.length : Math.min(left, total);
    for (const { id } of rows) {
      order.signal.throwIfAborted();
      left -= 1;
      yield { id, left };
      after = id;
    }
  }
}
