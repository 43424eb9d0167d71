import { credentials, defineQuery } from "../../../kernel/calls/operation.ts";
import { searchParameters } from "../../../kernel/searches/search-page.ts";
import { searchRows } from "../../../kernel/searches/search-rows.ts";
import { optionalFlag } from "../../../wire/fields/fields.ts";
import { asList, listOf } from "../../../wire/schemas/lists.ts";
import { looseObject } from "../../../wire/schemas/objects.ts";
import { visibleServers } from "../../servers/rules/shown/visible.ts";
import { snapshotCollection, snapshotSearch } from "../collection.ts";
import { Snapshot, type StoredSnapshot } from "../model.ts";
import { pruned } from "../rules/halves.ts";
import { shown } from "./visible.ts";

export const searchSnapshots = defineQuery({
  name: "search_snapshots",
  method: "ANY",
  summary: "Search snapshots; without `verbose` their large members are left out. A page over 16 MiB ends early.",
  access: credentials,
  refuses: ["db"],
  input: looseObject(() => ({ ...searchParameters, verbose: optionalFlag() })),
  output: listOf(Snapshot),
  async handler({ verbose = false, ...input }, context) {
    const { actor, services, tx } = context;
    services.jobs.stats.count(["search"]);
    const target = { collection: snapshotCollection, table: snapshotSearch, restriction: visibleServers(actor) };
    const sizeOf = ({ lightSize, size }: StoredSnapshot): number => lightSize + (verbose ? size : 0);
    const show = async (stored: StoredSnapshot): Promise<Snapshot> =>
      verbose ? shown(actor, await services.snapshots.whole(tx, stored)) : pruned(stored);
    const { rows, total } = await searchRows(context, input, target, { show, sizeOf });
    return asList(rows, total);
  },
});
