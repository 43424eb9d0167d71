import type { Cradle } from "../../../../kernel/container.ts";
import type { SearchableTable, WorkHandler } from "../../../../kernel/plugins/plugin.ts";
import { hostCollection, serverCollection } from "../../collection.ts";
import { Departure, Removal, type RemovalOptions } from "../../rules/departure.ts";
import { REMOVED_MESSAGE } from "../../rules/messages.ts";
import { storedServer } from "../../rules/shown/public.ts";

/** Queued work of kind "servers.uninstall": tells the agent to uninstall itself. */
export const uninstallWorker: WorkHandler = async (item, { servers }) => {
  const { id, socket, history } = Departure.parse(item.payload);
  if (servers.get(id)?.socket_id !== socket) return;
  // This is how this node learns of a deletion on another node.
  if (history) servers.expectRemoval(id);
  servers.send(id, { cmd: "uninstall", data: {} });
};

/** Queued work of kind "servers.close": disconnects an agent whose time to uninstall itself is over. */
export const closeWorker: WorkHandler = async (item, { servers }) => {
  const { id, socket } = Departure.parse(item.payload);
  servers.close(id, "The agent did not end after it was uninstalled.", socket);
};

/** Queued work of kind "servers.remove". */
export const removeWorker: WorkHandler = async (item, cradle, signal) => {
  await removeServer(cradle, Removal.parse(item.payload).id, signal);
};

type Deps = Pick<Cradle, "alerts" | "servers" | "snapshots" | "state" | "transact">;

/**
 * Deletes a server and everything stored about it (docs/contract/servers.md#removal), except invocations of its alerts,
 * which stay as history. Each step is idempotent and the record goes last, so an interrupted deletion starts over.
 */
export async function removeServer(
  deps: Deps,
  id: string,
  signal: AbortSignal,
  options?: RemovalOptions,
): Promise<void> {
  const { alerts, servers, snapshots, state, transact } = deps;
  const steps = async (): Promise<void> => {
    signal.throwIfAborted();
    await transact(({ tx }) => tx.timeline.drop(id));
    signal.throwIfAborted();
    await transact(async (unit) => {
      const { tx, emit } = unit;
      await alerts.dropServer(unit, id);
      await snapshots.dropServer(tx, id);
      await state.set(tx, `watches.servers.${id}`, undefined);
      await tx.collection(hostCollection).delete(id);
      const record = await tx.collection(serverCollection).get(id);
      if (record && (await tx.collection(serverCollection).delete(id))) emit("server.deleted", storedServer(record));
      tx.publish({ type: REMOVED_MESSAGE, payload: { id } });
      tx.afterCommit(() => servers.forget(id));
    });
  };
  await servers.remove(id, steps, options);
}

/** Deletes a server, for bulk deletions that name this table. A connected one stays, since it would be back at once. */
export const removeSilent: NonNullable<SearchableTable["remove"]> = (id, { signal }, cradle) =>
  removeServer(cradle, id, signal, { sparesConnected: true });
