import type { Cradle } from "../../../../kernel/container.ts";
import { type Nightly, nightly } from "../../../../kernel/running/nightly.ts";
import { afterId, everything } from "../../../../search/ast.ts";
import { hostCollection, serverCollection } from "../../collection.ts";
import { removeServer } from "./removal.ts";

const PAGE = 200;
/** Seconds. A server with a minute that recent is connected, perhaps to another node. */
const FRESH_SEC = 3600;

type Deps = Pick<Cradle, "alerts" | "config" | "servers" | "snapshot" | "snapshots" | "state" | "transact">;

/** Keeps `db_maint.servers.max_rows` servers. */
export const createServerRetention = (deps: Deps): Nightly =>
  nightly(deps, (now, signal) => removeOldest(deps, now, signal));

/** Deletes the servers with the lowest ids; skips connected ones. */
async function removeOldest(deps: Deps, now: number, signal: AbortSignal): Promise<void> {
  const { total } = await deps.snapshot((tx) => tx.collection(serverCollection).find(everything, { limit: 0 }));
  let surplus = total - deps.config.db_maint.servers.max_rows;
  for (let last: string | undefined = ""; last !== undefined && surplus > 0; ) {
    const { ids, next } = await silentPage(deps, last, now);
    for (const id of ids.slice(0, surplus)) {
      if (signal.aborted) return;
      await removeServer(deps, id, signal, { sparesConnected: true });
    }
    surplus -= ids.length;
    last = next;
  }
}

/** Ids of one page whose servers are not connected; `next` is absent after the last page. */
function silentPage({ servers, snapshot }: Deps, last: string, now: number) {
  return snapshot(async (tx) => {
    const { rows } = await tx.collection(serverCollection).find(afterId(last), { sortBy: "id", limit: PAGE });
    const page = rows.map(({ id }) => id);
    const hosts = await tx.collection(hostCollection).getMany(page);
    const isSilent = (id: string, index: number): boolean =>
      !servers.anywhere(id) && now - (hosts[index]?.date ?? 0) > FRESH_SEC;
    return { ids: page.filter(isSilent), next: page.length < PAGE ? undefined : page.at(-1) };
  });
}
