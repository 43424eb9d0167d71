import type { Cradle } from "../../kernel/container.ts";
import type { SearchableTable } from "../../kernel/plugin.ts";
import type { Snapshot } from "../../kernel/unit-of-work.ts";

/** For searches that name their table, and for searches that last longer than one snapshot should. */
export interface SearchService {
  readonly read: Snapshot;
  readonly tables: ReadonlyMap<string, SearchableTable>;
}

export const createSearch = ({ registry, snapshot }: Pick<Cradle, "registry" | "snapshot">): SearchService => ({
  read: snapshot,
  tables: registry.searchTables,
});
