import { groupRecords } from "../../../directory/groups/records.ts";
import type { Cradle } from "../../../kernel/container.ts";
import type { SearchNode } from "../../../search/ast.ts";
import { hostCollection, serverCollection } from "../collection.ts";
import type { Server } from "../model.ts";
import type { ServerRegistry } from "../service.ts";
import type { FarFacts } from "./far-facts.ts";
import type { Fleet } from "./fleet.ts";

type Lookup = Pick<
  ServerRegistry,
  | (
      | "active"
      | "anywhere"
      | "automaticAfter"
      | "everywhere"
      | "find"
      | "get"
      | "goneElsewhere"
      | "hostRecord"
      | "isEphemeral"
      | "latest"
      | "node"
      | "pin"
    )
  | ("pinTo" | "recent" | "send" | "storeMinutes" | "whereabouts")
>;

const PAGE = 50;
const AUTOMATIC: SearchNode = { kind: "term", field: "autoGroup", words: ["true"] };

const byId = (one: Server, two: Server): number => (one.id < two.id ? -1 : 1);

/** What the rest of the engine asks about servers. Jobs are read from the cradle when they are needed. */
export function createLookup(
  deps: Pick<Cradle, "definitions" | "jobs" | "storage">,
  fleet: Fleet,
  far: FarFacts,
): Lookup {
  const { nodeId: node, shared } = deps.storage.coordination;
  const elsewhere = (id: string): Server | undefined => {
    const server = shared ? deps.jobs.places.find(id) : undefined;
    return server && far.refreshed(server);
  };
  const active = (): Server[] => fleet.entries().map(({ server }) => server);
  const pin = shared ? { node } : {};
  return {
    active,
    everywhere: () =>
      shared ? [...active(), ...deps.jobs.places.elsewhere().map(far.refreshed)].sort(byId) : active(),
    anywhere: (id) => fleet.entry(id)?.server ?? elsewhere(id),
    goneElsewhere: (tx, ids) => deps.jobs.places.goneElsewhere(tx, ids),
    pinTo(id) {
      const elsewhere = shared && !fleet.entry(id) ? deps.jobs.places.nodeOf(id) : undefined;
      return elsewhere === undefined ? pin : { node: elsewhere };
    },
    whereabouts(id) {
      if (fleet.entry(id)) return { online: true, ...pin };
      const elsewhere = shared ? deps.jobs.places.nodeOf(id) : undefined;
      return elsewhere === undefined ? { online: false } : { online: true, node: elsewhere };
    },
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
    async find(tx, id) {
      const stored = () => tx.collection(serverCollection).get(id);
      if (fleet.entry(id) || !elsewhere(id)) return fleet.known(id) ?? stored();
      const server = await stored();
      return server && far.refreshed(server);
    },
    isEphemeral: ({ ephemeral, groups }) =>
      Boolean(ephemeral) || groups.some((id) => deps.definitions.get(groupRecords, id)?.ephemeral),
    automaticAfter,
    node,
    pin,
  };
}

const automaticAfter: Lookup["automaticAfter"] = async (tx, id) => {
  const where: SearchNode = {
    kind: "and",
    nodes: [AUTOMATIC, { kind: "compare", field: "id", operator: "gt", value: id }],
  };
  return (await tx.collection(serverCollection).find(where, { sortBy: "id", limit: PAGE })).rows;
};
