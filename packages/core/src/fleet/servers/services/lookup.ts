import type { Cradle } from "../../../kernel/container.ts";
import type { SearchNode } from "../../../search/ast.ts";
import { hostCollection, serverCollection } from "../collection.ts";
import type { ServerRegistry } from "../service.ts";
import type { Fleet } from "./fleet.ts";

type Lookup = Pick<
  ServerRegistry,
  | ("active" | "automaticAfter" | "find" | "get" | "hostRecord" | "latest" | "node" | "pin" | "recent" | "send")
  | "storeMinutes"
>;

const PAGE = 50;
const AUTOMATIC: SearchNode = { kind: "term", field: "autoGroup", words: ["true"] };

/** What the rest of the engine asks about servers. */
export function createLookup({ storage }: Pick<Cradle, "storage">, fleet: Fleet): Lookup {
  const { nodeId: node, shared } = storage.coordination;
  return {
    active: () => fleet.entries().map(({ server }) => server),
    get: (id) => fleet.entry(id)?.server,
    recent: fleet.recent,
    send: (id, message) => fleet.entry(id)?.connection.link.send(message) ?? false,
    latest: fleet.latest,
    async hostRecord(tx, id) {
      const known = fleet.latest(id);
      if (known && fleet.entry(id)) return known;
      // A server that left this node may be connected to another one.
      const stored = await tx.collection(hostCollection).get(id);
      return known && known.date > (stored?.date ?? 0) ? known : stored;
    },
    storeMinutes: (tx, documents) => tx.overwrite(hostCollection, documents),
    find: async (tx, id) => fleet.known(id) ?? tx.collection(serverCollection).get(id),
    async automaticAfter(tx, id) {
      const where: SearchNode = {
        kind: "and",
        nodes: [AUTOMATIC, { kind: "compare", field: "id", operator: "gt", value: id }],
      };
      return (await tx.collection(serverCollection).find(where, { sortBy: "id", limit: PAGE })).rows;
    },
    node,
    pin: shared ? { node } : {},
  };
}
