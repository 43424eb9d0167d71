import { groupRecords } from "../../../../directory/groups/records.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import type { WorkHandler } from "../../../../kernel/plugins/plugin.ts";
import { createBreath } from "../../../../kernel/running/breath.ts";
import { afterId, allOf, hasWord } from "../../../../search/ast.ts";
import { serverCollection } from "../../collection.ts";
import { withGroups } from "../../rules/joining/connect.ts";
import { hasSameGroups, regroupStored } from "./regroup.ts";

const PAGE = 50;
const automatic = hasWord("autoGroup", "true");

/**
 * Queued work of kind "servers.regroup": updates stored servers with automatic groups by the current groups, one page
 * at a time (docs/contract/servers.md#computed-again). After a crash it starts over; servers that are done are only
 * read.
 */
export const regroupWorker: WorkHandler = async (_item, cradle, signal) => {
  const breathe = createBreath(cradle.clock, signal);
  for (let last: string | undefined = ""; last !== undefined; ) {
    signal.throwIfAborted();
    last = await regroupPage(cradle, last, breathe);
  }
};

type Deps = Pick<Cradle, "servers" | "storage" | "transact">;

/** Returns the last id of a full page; undefined after the last page. */
async function regroupPage(
  { servers, storage, transact }: Deps,
  last: string,
  breathe: () => Promise<void>,
): Promise<string | undefined> {
  const { matches: test, stored } = servers;
  const where = allOf([automatic, afterId(last)]);
  // Reads the storage, because this node's memory may not have the change yet.
  const { groups, page } = await storage.read(async (tx) => ({
    groups: await tx.collection(groupRecords).list(),
    page: (await tx.collection(serverCollection).find(where, { sortBy: "id", limit: PAGE })).rows,
  }));
  const differing: string[] = [];
  for (const server of page) {
    await breathe();
    if (!hasSameGroups(server, withGroups(server, { groups, test }))) differing.push(server.id);
  }
  if (differing.length > 0)
    await transact(async (unit) => {
      const grouping = { groups: await unit.tx.collection(groupRecords).list(), test };
      for (const id of differing) await regroupStored(unit, { id }, { grouping, stored });
    });
  return page.length < PAGE ? undefined : page.at(-1)?.id;
}
