import type { Cradle } from "../../../../kernel/container.ts";
import type { Grouping } from "../../rules/joining/connect.ts";
import { joinedData } from "../../rules/joining/joined.ts";
import type { Announcements } from "../connections/announcements.ts";
import type { Connection } from "../connections/connection.ts";
import type { KeyedQueue } from "../keyed-queue.ts";
import type { Fleet } from "../known/fleet.ts";
import { type Arrivals, createArrivals } from "./arrivals.ts";
import { duplicate, type Handshake } from "./handshake.ts";
import { createPlainWarning } from "./plain-warning.ts";

/** Admits servers, and handles their disconnection. */
export interface Membership {
  /** The token was valid: records and welcomes the server. */
  admit(connection: Connection): Promise<void>;
  /** A connection that had joined has ended. */
  left(connection: Connection): void;
}

interface Parts {
  readonly fleet: Fleet;
  readonly queue: KeyedQueue;
  readonly announcements: Announcements;
  readonly grouping: () => Grouping;
  readonly handshake: Pick<Handshake, "dismiss" | "refuse">;
  readonly close: (connection: Connection, reason: string) => void;
  readonly isStopping: () => boolean;
}

type Deps = Pick<
  Cradle,
  "activity" | "agentKeys" | "checks" | "clock" | "config" | "jobInbox" | "log" | "monitors" | "storage" | "transact"
>;

/** Reads other services from the cradle only when they are needed, as they depend on this domain in turn. */
export function createMembership(deps: Deps, parts: Parts): Membership {
  const { clock } = deps;
  const { fleet, grouping, handshake, close, isStopping } = parts;
  const arrivals = createArrivals(deps);
  const warnOfPlain = createPlainWarning(deps);
  const left = createDeparture(deps, parts, arrivals);
  const welcome = createWelcome(deps, parts);
  return {
    left,
    async admit(connection) {
      const { id, hostname, hello, link } = connection;
      const older = fleet.entry(id);
      if (connection.phase === "closed" || !hello || isStopping()) return;
      // The server may have been deleted since its hello.
      if (handshake.dismiss(connection, id)) return;
      if (older && older.server.hostname !== hostname) return handshake.refuse(connection, duplicate(connection));
      const now = Math.floor(clock.now());
      const server = await arrivals.arrived({ id, hostname, hello, ip: link.ip, socketId: link.id, now }, grouping());
      fleet.add(server, connection);
      // Its place is taken, so closing the older socket does not take the server offline.
      if (older) close(older.connection, "The server has connected anew.");
      if (hasClosed(connection)) return left(connection);
      connection.phase = "joined";
      // All of it is now in the server's record.
      connection.hello = undefined;
      welcome(connection, server.groups);
      await warnOfPlain(server, connection);
    },
  };
}

function createDeparture(deps: Deps, { fleet, queue, isStopping }: Parts, arrivals: Arrivals): Membership["left"] {
  return (connection) => {
    const now = Math.floor(deps.clock.now());
    const entry = fleet.remove(connection, now);
    if (!entry) return;
    deps.monitors.gone(connection.id);
    // A shutdown of the engine is no disconnection: the server keeps its record and its jobs.
    if (isStopping()) return;
    deps.jobInbox.gone(connection.id);
    void queue.run(connection.id, () => arrivals.departed(entry.server, now));
  };
}

function createWelcome(deps: Deps, { fleet, announcements }: Parts) {
  const { config } = deps;
  return (connection: Connection, groups: readonly string[]): void => {
    const { id, link } = connection;
    const numServers = fleet.count();
    deps.monitors.joined(id, { isLocal: link.trusted });
    const data = joinedData({
      agentConfig: announcements.waysBack.agentConfig(),
      airgap: config["airgap"],
      hosts: announcements.waysBack.hosts(link.reachedBy),
      groups,
      plugins: announcements.plugins(),
      secretsOf: announcements.knownSecrets,
      identity: config.default_plugin_credentials.monitor,
      own: deps.checks.commandsOf(id),
      numServers,
      trusted: link.trusted,
    });
    connection.toldServers = numServers;
    link.send({ cmd: "joined", data });
    const entry = fleet.entry(id);
    if (entry) announcements.welcomed(entry);
    if (connection.needsToken) link.send({ cmd: "updateConfig", data: { auth_token: deps.agentKeys.serverToken(id) } });
    deps.jobInbox.joined(id, { trusted: link.trusted });
  };
}

/** True when the socket has closed while the arrival was being stored. */
const hasClosed = ({ phase }: Connection): boolean => phase === "closed";
