import type { Cradle } from "../../../kernel/container.ts";
import { agentConfigOf, joinedData } from "../rules/joined.ts";
import type { Announcements } from "./announcements.ts";
import { createArrivals } from "./arrivals.ts";
import type { Connection } from "./connection.ts";
import type { Fleet } from "./fleet.ts";
import { createGrouping } from "./grouping.ts";
import { duplicate, type Handshake } from "./handshake.ts";
import type { KeyedQueue } from "./keyed-queue.ts";

/** Takes servers in and lets them go. */
export interface Membership {
  /** The token was right: the server is recorded and welcomed. */
  admit(connection: Connection): Promise<void>;
  /** A connection that had joined is gone. */
  left(connection: Connection): void;
}

interface Parts {
  readonly fleet: Fleet;
  readonly queue: KeyedQueue;
  readonly announcements: Announcements;
  readonly refuse: Handshake["refuse"];
  readonly close: (connection: Connection, reason: string) => void;
  readonly isStopping: () => boolean;
}

/** Other services are read from the cradle when they are needed: they depend on this domain in turn. */
export function createMembership(cradle: Cradle, parts: Parts): Membership {
  const { clock, config } = cradle;
  const { fleet, queue, announcements, refuse, close, isStopping } = parts;
  const arrivals = createArrivals(cradle);
  const grouping = createGrouping(cradle);

  function left(connection: Connection): void {
    const now = Math.floor(clock.now());
    const entry = fleet.remove(connection, now);
    if (!entry) return;
    cradle.monitors.gone(connection.id);
    // A stop of ours is no departure: the server keeps its record and its jobs.
    if (isStopping()) return;
    cradle.jobInbox.gone(connection.id);
    announcements.serverCount();
    void queue.run(connection.id, () => arrivals.departed(entry.server, now));
  }

  function welcome({ id, link }: Connection, groups: readonly string[]): void {
    cradle.monitors.joined(id);
    const data = joinedData({
      agentConfig: agentConfigOf(config["satellite"]),
      airgap: config["airgap"],
      baseUrl: config.base_app_url,
      groups,
      plugins: announcements.plugins(),
      numServers: fleet.entries().length,
      trusted: link.trusted,
    });
    link.send({ cmd: "joined", data });
    cradle.jobInbox.joined(id, { trusted: link.trusted });
    announcements.serverCount();
  }

  return {
    left,
    async admit(connection) {
      const { id, hostname, hello, link } = connection;
      const older = fleet.entry(id);
      if (connection.phase === "closed" || !hello || isStopping()) return;
      if (older && older.server.hostname !== hostname) return refuse(connection, duplicate(connection));
      const now = Math.floor(clock.now());
      const server = await arrivals.arrived({ id, hostname, hello, ip: link.ip, now }, grouping());
      fleet.add(server, connection);
      // Its place is taken, so the end of the older socket does not take the server off line.
      if (older) close(older.connection, "The server has connected anew.");
      if (hasClosed(connection)) return left(connection);
      connection.phase = "joined";
      welcome(connection, server.groups);
    },
  };
}

/** The socket may have gone while the arrival was being stored. */
const hasClosed = ({ phase }: Connection): boolean => phase === "closed";
