import type { Cradle } from "../../../kernel/container.ts";
import type { SearchableTable } from "../../../kernel/plugins/plugin.ts";
import { keepNewest } from "../../../kernel/running/keep-newest.ts";
import { type Nightly, nightly } from "../../../kernel/running/nightly.ts";
import { activityCollection } from "../collection.ts";

/** Removes the oldest rows. */
export interface ActivityArchive {
  /** Keeps the newest `db_maint.activity.max_rows` rows. */
  readonly maintain: Nightly;
}

type Deps = Pick<Cradle, "clock" | "config" | "snapshot" | "transact">;

export const createActivityArchive = (deps: Deps): ActivityArchive => ({
  maintain: nightly(deps, (_now, signal) =>
    keepNewest(deps, {
      collection: activityCollection,
      sortBy: "epoch",
      signal,
      kept: () => deps.config.db_maint.activity.max_rows,
    }),
  ),
});

/** Removes a row for a bulk deletion, which writes a row about itself. */
export const removeRow: NonNullable<SearchableTable["remove"]> = (id, _order, { transact }) =>
  transact(async ({ tx }) => void (await tx.collection(activityCollection).delete(id)));
