import type { Cradle } from "../../../kernel/container.ts";
import type { HostRecord, Server } from "../model.ts";
import { refreshInfo } from "../rules/connect.ts";
import type { Connection } from "./connection.ts";
import { createRecentServers } from "./recent.ts";

/** A connected server. */
export interface ActiveServer {
  server: Server;
  readonly connection: Connection;
  /** JSON of the last minute's record: a third of the memory of the parsed one. */
  latest: string | undefined;
}

/** The servers this node knows without asking the storage: connected ones and those that left not long ago. */
export interface Fleet {
  /** In the order of their connection. */
  entries(): readonly ActiveServer[];
  entry(id: string): ActiveServer | undefined;
  /** Connected or recently offline. */
  known(id: string): Server | undefined;
  latest(id: string): HostRecord | undefined;
  add(server: Server, connection: Connection): void;
  /** Takes the server of a connection off line; undefined when another connection holds it. */
  remove(connection: Connection, now: number): ActiveServer | undefined;
  recorded(record: HostRecord): void;
}

export function createFleet({ clock }: Pick<Cradle, "clock">): Fleet {
  const active = new Map<string, ActiveServer>();
  const recent = createRecentServers();
  const left = (id: string) => recent.get(id, clock.now());
  return {
    entries: () => [...active.values()],
    entry: (id) => active.get(id),
    known: (id) => active.get(id)?.server ?? left(id)?.server,
    latest(id) {
      const json = active.get(id)?.latest ?? left(id)?.latest;
      return json === undefined ? undefined : JSON.parse(json);
    },
    add(server, connection) {
      const latest = active.get(server.id)?.latest ?? left(server.id)?.latest;
      active.delete(server.id);
      recent.delete(server.id);
      active.set(server.id, { server, connection, latest });
    },
    remove(connection, now) {
      const entry = active.get(connection.id);
      if (entry?.connection !== connection) return undefined;
      active.delete(connection.id);
      recent.add({ server: { ...entry.server, modified: now }, latest: entry.latest, leftAt: now });
      return entry;
    },
    recorded(record) {
      const entry = active.get(record.id);
      if (!entry) return;
      entry.server = { ...entry.server, info: refreshInfo(entry.server.info, record.data) };
      entry.latest = JSON.stringify(record);
    },
  };
}
