import type { Cradle } from "../../kernel/container.ts";
import type { AgentMessage, AgentReceiver } from "../../ports/agent-transport.ts";
import type { ReadTx } from "../../ports/storage.ts";
import { serverCollection } from "./collection.ts";
import type { HostRecord, Server } from "./model.ts";
import { createAgentLog, LOG_COMMANDS } from "./services/agent-log.ts";
import { createAnnouncements } from "./services/announcements.ts";
import type { Connection } from "./services/connection.ts";
import { createFleet, type Fleet } from "./services/fleet.ts";
import { createHandshake, type Handshake } from "./services/handshake.ts";
import { createKeyedQueue, type KeyedQueue } from "./services/keyed-queue.ts";
import { createLinks, type Links } from "./services/links.ts";
import { createMembership, type Membership } from "./services/membership.ts";
import { createRegroup } from "./services/regroup.ts";

const JOB_COMMANDS: ReadonlySet<string> = new Set(["jobs", "job_log", "job_meta"]);

/** The connected servers, as the rest of the engine sees them. */
export interface ServerRegistry {
  /** Connected servers, in the order of their connection. */
  active(): readonly Server[];
  /** A connected server. */
  get(id: string): Server | undefined;
  /** Sends a message to a connected server; false when it is not connected here. */
  send(id: string, message: AgentMessage): boolean;
  /** The last minute's record of a connected or recently offline server. */
  latest(id: string): HostRecord | undefined;
  /** A server wherever it is known: connected, recently offline, stored. */
  find(tx: ReadTx, id: string): Promise<Server | undefined>;
  /** Takes over what a stored minute said about a connected server. */
  recorded(record: HostRecord): void;
  /** What agent transports report to. */
  readonly receiver: AgentReceiver;
  /** Looks after the sockets; once a second. */
  tick(): void;
  /** Works out the groups of all connected servers anew. */
  regroup(): Promise<void>;
  /** Sends changed script definitions to all connected servers. */
  announcePlugins(): void;
  /** From now on a vanishing socket is part of the shutdown. */
  beginStop(): void;
  /** Waits for what is being stored. */
  idle(): Promise<void>;
}

export function createServers(cradle: Cradle): ServerRegistry {
  let stopping = false;
  const fleet = createFleet(cradle);
  const queue = createKeyedQueue((server, error) => cradle.log.error({ server, error }, "A server was not recorded"));
  const announcements = createAnnouncements(cradle, fleet.entries);
  const route = createRoute(cradle, fleet, queue);
  const links: Links = createLinks(cradle, {
    handshake: () => handshake,
    left: (connection) => membership.left(connection),
    received: (connection, message) => {
      // The jobs of an agent that ends with us report their end now, or never.
      if (!stopping || JOB_COMMANDS.has(message.cmd)) route(connection, message);
    },
  });
  const { close } = links;
  const handshake: Handshake = createHandshake(cradle, {
    hostnameOf: (id) => fleet.entry(id)?.server.hostname,
    admit: (connection) => void queue.run(connection.id, () => membership.admit(connection)),
    close,
  });
  const { refuse } = handshake;
  const isStopping = (): boolean => stopping;
  const membership: Membership = createMembership(cradle, { fleet, queue, announcements, refuse, close, isStopping });
  const regroupOne = createRegroup(cradle, fleet, announcements);
  return {
    receiver: links.receiver,
    active: () => fleet.entries().map(({ server }) => server),
    get: (id) => fleet.entry(id)?.server,
    send: (id, message) => fleet.entry(id)?.connection.link.send(message) ?? false,
    latest: fleet.latest,
    find: async (tx, id) => fleet.known(id) ?? tx.collection(serverCollection).get(id),
    recorded: fleet.recorded,
    tick: links.tick,
    async regroup() {
      await Promise.all(fleet.entries().map(({ server: { id } }) => queue.run(id, () => regroupOne(id))));
    },
    announcePlugins: announcements.changedPlugins,
    beginStop() {
      stopping = true;
    },
    idle: queue.idle,
  };
}

/** Hands the messages of joined servers to whom they concern. Those services are read from the cradle when needed. */
function createRoute(cradle: Cradle, fleet: Fleet, queue: KeyedQueue) {
  const agentLog = createAgentLog(cradle);
  const reports: ReadonlyMap<string, (server: string, data: unknown) => void> = new Map([
    ["monitor", (server, data) => cradle.monitors.minute(server, data)],
    ["quickmon", (server, data) => cradle.monitors.quick(server, data)],
    ["monitorPluginTestResult", (server, data) => cradle.monitorTests.received(server, data)],
  ]);
  return ({ id }: Connection, message: AgentMessage): void => {
    const { cmd, data } = message;
    const entry = fleet.entry(id);
    if (!entry) return;
    const report = reports.get(cmd);
    if (report) report(id, data);
    else if (JOB_COMMANDS.has(cmd)) cradle.jobInbox.received(id, message);
    else if (LOG_COMMANDS.has(cmd) && agentLog.mayWrite(id))
      void queue.run(id, () => agentLog.write(entry.server, cmd, data));
  };
}
