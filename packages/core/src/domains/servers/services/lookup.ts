import type { Cradle } from "../../../kernel/container.ts";
import { serverCollection } from "../collection.ts";
import type { ServerRegistry } from "../service.ts";
import type { Fleet } from "./fleet.ts";

type Lookup = Pick<ServerRegistry, "active" | "get" | "recent" | "send" | "latest" | "find" | "node" | "pin">;

/** What the rest of the engine asks about servers. */
export function createLookup({ storage }: Pick<Cradle, "storage">, fleet: Fleet): Lookup {
  const { nodeId: node, shared } = storage.coordination;
  return {
    active: () => fleet.entries().map(({ server }) => server),
    get: (id) => fleet.entry(id)?.server,
    recent: fleet.recent,
    send: (id, message) => fleet.entry(id)?.connection.link.send(message) ?? false,
    latest: fleet.latest,
    find: async (tx, id) => fleet.known(id) ?? tx.collection(serverCollection).get(id),
    node,
    pin: shared ? { node } : {},
  };
}
