import { groupRecords } from "../../../../directory/groups/records.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import type { ReadTx } from "../../../../ports/storage/storage.ts";
import { afterId, allOf, hasWord } from "../../../../search/ast.ts";
import { hostCollection, serverCollection } from "../../collection.ts";
import type { HostRecord, Server } from "../../model.ts";
import type { ServerRegistry } from "../../service.ts";
import type { FarFacts } from "./far-facts.ts";
import type { FarMinutes } from "./far-minutes.ts";
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
      | "lastMinuteAt"
      | "latest"
      | "newestRecords"
      | "node"
      | "pin"
    )
  | ("pinTo" | "recent" | "send" | "storeMinutes" | "whereabouts")
>;

const PAGE = 50;
const AUTOMATIC = hasWord("autoGroup", "true");

const byId = (one: Server, two: Server): number => (one.id < two.id ? -1 : 1);

/** Facts and minutes of servers on other nodes. */
export interface Far {
  readonly facts: FarFacts;
  readonly minutes: FarMinutes;
}

type Deps = Pick<Cradle, "clock" | "definitions" | "jobs" | "storage">;

/** Finds servers for the rest of the engine. Reads jobs from the cradle only when they are needed. */
export function createLookup(deps: Deps, fleet: Fleet, { facts, minutes }: Far): Lookup {
  const { nodeId: node, shared } = deps.storage.coordination;
  const elsewhere = createElsewhere(deps, fleet, facts);
  const active = (): Server[] => fleet.entries().map(({ server }) => server);
  const pin = shared ? { node } : {};
  return {
    active,
    everywhere: () => (shared ? [...active(), ...elsewhere.all()].sort(byId) : active()),
    anywhere: (id) => fleet.entry(id)?.server ?? elsewhere.find(id),
    goneElsewhere: (tx, ids) => deps.jobs.places.goneElsewhere(tx, ids),
    pinTo(id) {
      const other = elsewhere.nodeOf(id);
      return other === undefined ? pin : { node: other };
    },
    whereabouts(id) {
      if (fleet.entry(id)) return { online: true, ...pin };
      const other = elsewhere.nodeOf(id);
      return other === undefined ? { online: false } : { online: true, node: other };
    },
    get: (id) => fleet.entry(id)?.server,
    // A server that has moved to another node has not disconnected.
    recent: () => fleet.recent().filter(({ id }) => !elsewhere.find(id)),
    send: (id, message) => fleet.entry(id)?.connection.link.send(message) ?? false,
    latest: fleet.latest,
    ...createRecordLookup(deps, fleet, minutes),
    async find(tx, id) {
      const stored = () => tx.collection(serverCollection).get(id);
      if (fleet.entry(id) || !elsewhere.find(id)) return fleet.known(id) ?? stored();
      const server = await stored();
      return server && facts.refreshed(server);
    },
    isEphemeral: ({ ephemeral, groups }) =>
      Boolean(ephemeral) || groups.some((id) => deps.definitions.get(groupRecords, id)?.ephemeral),
    automaticAfter,
    node,
    pin,
  };
}

/** Servers that are connected to other nodes; without other nodes there are none. */
function createElsewhere(deps: Deps, fleet: Fleet, facts: FarFacts) {
  const { shared } = deps.storage.coordination;
  return {
    all: (): Server[] => (shared ? deps.jobs.places.elsewhere().map(facts.refreshed) : []),
    find(id: string): Server | undefined {
      const server = shared ? deps.jobs.places.find(id) : undefined;
      return server && facts.refreshed(server);
    },
    nodeOf: (id: string): string | undefined => (shared && !fleet.entry(id) ? deps.jobs.places.nodeOf(id) : undefined),
  };
}

/**
 * Seconds after which a stored minute may not be the newest: the server may have been connected to another node since.
 */
const FRESH_SEC = 90;

function createRecordLookup(
  { clock, storage }: Deps,
  fleet: Fleet,
  minutes: FarMinutes,
): Pick<Lookup, "hostRecord" | "lastMinuteAt" | "newestRecords" | "storeMinutes"> {
  const { shared } = storage.coordination;
  const isNewest = (date: number): boolean => !shared || clock.now() - date < FRESH_SEC;
  const newest = async (tx: ReadTx, id: string, told: HostRecord | undefined): Promise<HostRecord | undefined> => {
    const known = told ?? fleet.latest(id);
    const isHeld = told !== undefined || fleet.entry(id) !== undefined;
    if (known && isHeld && isNewest(known.date)) return known;
    const stored = await tx.collection(hostCollection).get(id);
    return known && known.date > (stored?.date ?? 0) ? known : stored;
  };
  const hostRecord: Lookup["hostRecord"] = (tx, id) => newest(tx, id, undefined);
  return {
    hostRecord,
    storeMinutes: (tx, documents) => tx.overwrite(hostCollection, documents),
    async newestRecords(tx, ids) {
      const told = shared ? await minutes.read(ids) : undefined;
      const records = await Promise.all(ids.map((id) => newest(tx, id, told?.get(id))));
      return new Map(ids.flatMap((id, index) => (records[index] ? [[id, records[index]] as const] : [])));
    },
    async lastMinuteAt(tx, id) {
      const known = fleet.entry(id)?.latestAt;
      if (known !== undefined && isNewest(known)) return known;
      const date = (await hostRecord(tx, id))?.date;
      if (fleet.entry(id) && date !== undefined) return date;
      // Stored records may be minutes old. Each minute is in the timeline, at the same second of the minute.
      const [sampled] = await tx.timeline.latest({ server: id, system: "hourly" }, 1);
      return sampled ? Math.max(date ?? 0, sampled.date + ((date ?? 0) % 60)) : date;
    },
  };
}

const automaticAfter: Lookup["automaticAfter"] = async (tx, id) => {
  const where = allOf([AUTOMATIC, afterId(id)]);
  return (await tx.collection(serverCollection).find(where, { sortBy: "id", limit: PAGE })).rows;
};
