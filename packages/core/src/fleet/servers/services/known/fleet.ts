import type { Cradle } from "../../../../kernel/container.ts";
import { createReplacedText, type ReplacedText } from "../../../../lib/text/replaced-text.ts";
import type { TextPieces } from "../../../../lib/text/text-pieces.ts";
import type { HostRecord, Server } from "../../model.ts";
import { refreshInfo } from "../../rules/joining/connect.ts";
import type { Connection } from "../connections/connection.ts";
import { createRecentServers } from "./recent.ts";

/** A connected server. */
export interface ActiveServer {
  server: Server;
  readonly connection: Connection;
  /** JSON of the last minute's record, which takes a third of the memory of the parsed one. */
  latest: ReplacedText | undefined;
  /** Time of `latest` in Unix seconds, so that it is known without parsing; absent = nothing came since the server was offline. */
  latestAt?: number | undefined;
}

/** The servers that this node has in memory: connected and recently disconnected ones. */
export interface Fleet {
  /** Connected servers, in the order of connection. */
  entries(): readonly ActiveServer[];
  count(): number;
  entry(id: string): ActiveServer | undefined;
  /** Servers that disconnected recently. */
  recent(): readonly Server[];
  /** A server that is connected or disconnected recently. */
  known(id: string): Server | undefined;
  latest(id: string): HostRecord | undefined;
  add(server: Server, connection: Connection): void;
  /** Takes the server of a connection offline; undefined when another connection has replaced it. */
  remove(connection: Connection, now: number): ActiveServer | undefined;
  /** `json` is the text of the record. Returns the holder of that text; undefined = the server is not connected. */
  recorded(record: HostRecord, json: TextPieces): ReplacedText | undefined;
  /** Takes over the stored record of a known server, except for members that its connection reported. */
  renew(stored: Server): void;
  forgetRecent(): void;
  /** From now on the end of the server's connection deletes it: it does not become a recently disconnected one. */
  expectRemoval(id: string): void;
  isToBeRemoved(id: string): boolean;
  /** Drops a server that does not exist any more. */
  removed(id: string): void;
}

export function createFleet({ clock }: Pick<Cradle, "clock">): Fleet {
  const active = new Map<string, ActiveServer>();
  const recent = createRecentServers();
  const toBeRemoved = new Set<string>();
  const left = (id: string) => recent.get(id, clock.now());
  const latestOf = (id: string) => (active.get(id) ?? left(id))?.latest;
  return {
    entries: () => [...active.values()],
    count: () => active.size,
    entry: (id) => active.get(id),
    recent: () => recent.all(clock.now()).map(({ server }) => server),
    known: (id) => active.get(id)?.server ?? left(id)?.server,
    latest: (id) => parse(latestOf(id)),
    add(server, connection) {
      const latest = latestOf(server.id);
      const latestAt = active.get(server.id)?.latestAt;
      active.delete(server.id);
      recent.delete(server.id);
      active.set(server.id, { server, connection, latest, latestAt });
    },
    remove(connection, now) {
      const entry = active.get(connection.id);
      if (entry?.connection !== connection) return undefined;
      active.delete(connection.id);
      const server = { ...entry.server, modified: now };
      if (!toBeRemoved.has(server.id)) recent.add({ server, latest: entry.latest, leftAt: now });
      return entry;
    },
    recorded(record, json) {
      const entry = active.get(record.id);
      return entry && takeOver(entry, record, json);
    },
    renew(stored) {
      const entry = active.get(stored.id);
      const gone = left(stored.id);
      if (entry) entry.server = { ...stored, ...connectionFacts(entry.server) };
      else if (gone) recent.renew({ ...gone, server: { ...stored, ...connectionFacts(gone.server) } });
    },
    forgetRecent: recent.clear,
    expectRemoval: (id) => void toBeRemoved.add(id),
    isToBeRemoved: (id) => toBeRemoved.has(id),
    removed(id) {
      toBeRemoved.delete(id);
      recent.delete(id);
    },
  };
}

function takeOver(entry: ActiveServer, { data, date }: HostRecord, json: TextPieces): ReplacedText {
  const latest = entry.latest ?? createReplacedText();
  latest.set(json);
  entry.server = { ...entry.server, info: refreshInfo(entry.server.info, data) };
  entry.latest = latest;
  entry.latestAt = date;
  return latest;
}

const parse = (json: ReplacedText | undefined): HostRecord | undefined =>
  json && (JSON.parse(json.get()) as HostRecord);

/** Members that are more recent in memory than in the storage. */
function connectionFacts({ hostname, ip, info, socket_id }: Server): Partial<Server> {
  return { hostname, ip, info, ...(socket_id === undefined ? {} : { socket_id }) };
}
