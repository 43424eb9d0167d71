import type { Cradle } from "../../../kernel/container.ts";
import { keepNewest } from "../../../kernel/running/keep-newest.ts";
import { type Nightly, nightly } from "../../../kernel/running/nightly.ts";
import { hasWord } from "../../../search/ast.ts";
import { invocationCollection } from "../collection.ts";

const ended = hasWord("active", "false");

type Deps = Pick<Cradle, "clock" | "config" | "snapshot" | "transact">;

/** Keeps the newest `db_maint.alerts.max_rows` invocations; live ones are never deleted. */
export const createMaintenance = (deps: Deps): Nightly =>
  nightly(deps, (_now, signal) =>
    keepNewest(deps, {
      collection: invocationCollection,
      sortBy: "start",
      where: ended,
      signal,
      kept: () => deps.config.db_maint.alerts.max_rows,
    }),
  );
