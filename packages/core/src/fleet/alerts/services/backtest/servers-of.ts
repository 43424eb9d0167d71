import { mayAccess } from "../../../../directory/access/require-access.ts";
import type { OperationContext } from "../../../../kernel/calls/context.ts";
import { byId } from "../../../../lib/by-id.ts";
import type { ReadTx } from "../../../../ports/storage/storage.ts";
import { everything, hasWord, type SearchNode } from "../../../../search/ast.ts";
import type { Server } from "../../../servers/model.ts";
import { serverRecords } from "../../../servers/records.ts";

/** Most stored servers per call. */
const MAX_STORED = 10_000;

/** The servers that the caller may see, of one group or of all; connected or only stored; sorted by id. */
export async function serversOf(
  { actor, services, tx }: Pick<OperationContext, "actor" | "services"> & { readonly tx: ReadTx },
  { group }: { readonly group?: string | undefined },
): Promise<Server[]> {
  const where: SearchNode = group === undefined ? everything : hasWord("groups", group);
  const { rows } = await tx.collection(serverRecords).find(where, { sortBy: "id", limit: MAX_STORED });
  // A connected server may be in other groups than its stored record.
  const known = byId([...rows, ...services.servers.everywhere()]);
  return [...known.values()]
    .filter(
      ({ groups }) => (group === undefined || groups.includes(group)) && mayAccess(actor, { serverGroups: groups }),
    )
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
}
