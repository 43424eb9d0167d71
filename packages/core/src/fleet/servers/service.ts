import type { PatternTest } from "../../directory/groups/rules/membership.ts";
import type { Cradle } from "../../kernel/container.ts";
import type { Nightly } from "../../kernel/running/nightly.ts";
import type { Unit } from "../../kernel/transactions/unit-of-work.ts";
import type { ReplacedText } from "../../lib/text/replaced-text.ts";
import type { TextPieces } from "../../lib/text/text-pieces.ts";
import type { AgentMessage, AgentReceiver } from "../../ports/agents/agent-transport.ts";
import type { ReadTx, WriteTx } from "../../ports/storage/storage.ts";
import type { StoredDocument } from "../../ports/storage/stored-document.ts";
import type { HostRecord, Server } from "./model.ts";
import type { RemovalOptions } from "./rules/departure.ts";
import type { Whereabouts } from "./rules/shown/public.ts";
import { createAgentLog, LOG_COMMANDS } from "./services/connections/agent-log.ts";
import { createAnnouncements } from "./services/connections/announcements.ts";
import type { Connection } from "./services/connections/connection.ts";
import { createLinks, type Links } from "./services/connections/links.ts";
import { createTraffic, type Traffic } from "./services/connections/traffic.ts";
import { createGrouping } from "./services/groups/grouping.ts";
import { createHandOff } from "./services/joining/hand-off.ts";
import { createHandshake, type Handshake } from "./services/joining/handshake.ts";
import { createMembership, type Membership } from "./services/joining/membership.ts";
import { createKeyedQueue, type KeyedQueue } from "./services/keyed-queue.ts";
import { createFarFacts, type FarFacts } from "./services/known/far-facts.ts";
import { createFarMinutes } from "./services/known/far-minutes.ts";
import { createFleet, type Fleet } from "./services/known/fleet.ts";
import { createLookup } from "./services/known/lookup.ts";
import { createServerUpkeep } from "./services/upkeep.ts";
import { mergeUserData } from "./services/user-data.ts";

const JOB_COMMANDS: ReadonlySet<string> = new Set(["jobs", "job_log", "job_meta"]);

/** The registry of servers, for the rest of the engine. */
export interface ServerRegistry {
  /** Servers that are connected to this node, in the order of connection. */
  active(): readonly Server[];
  /** A server that is connected to this node. */
  get(id: string): Server | undefined;
  /**
   * Servers that are connected to any node. With several nodes they are sorted by id, so that each node lists them
   * alike; else in the order of connection.
   */
  everywhere(): readonly Server[];
  /** A server that is connected to any node. */
  anywhere(id: string): Server | undefined;
  /** Connection of a server, and its node. */
  whereabouts(id: string): Whereabouts;
  /**
   * The servers of the list that have connected to another node since they connected to this one, which may have
   * stalled meanwhile. This node must write nothing more for them.
   */
  goneElsewhere(tx: ReadTx, servers: readonly string[]): Promise<ReadonlySet<string>>;
  /** Options that keep queued work for a server on the node that it is connected to. */
  pinTo(id: string): { readonly node?: string };
  /** Servers that disconnected recently; `modified` is when. */
  recent(): readonly Server[];
  /** Sends a message to a server; false when it is not connected to this node. */
  send(id: string, message: AgentMessage): boolean;
  /** The last minute of a server that is connected to this node or disconnected recently. */
  latest(id: string): HostRecord | undefined;
  /**
   * The last minute of any server, as far as it is known without asking other nodes: for a server of another node it
   * may be five minutes old, like stored records.
   */
  hostRecord(tx: ReadTx, id: string): Promise<HostRecord | undefined>;
  /**
   * The last minutes of these servers. Asks the nodes of servers that are connected elsewhere, and falls back to the
   * stored record after two seconds without an answer. Call it before any other read, so that no snapshot of the
   * storage waits for an answer; not for transactions that write.
   */
  newestRecords(tx: ReadTx, ids: readonly string[]): Promise<ReadonlyMap<string, HostRecord>>;
  /** Unix seconds of the last minute of a server on any node; asks no other node. */
  lastMinuteAt(tx: ReadTx, id: string): Promise<number | undefined>;
  /** Stores records of full minutes as they are. */
  storeMinutes(tx: WriteTx, documents: readonly StoredDocument[]): Promise<void>;
  /**
   * Merges top-level members into a server's user data without increasing its revision, since jobs do so every minute.
   * False when the result would be too large; ignores unknown servers.
   */
  mergeUserData(unit: Unit, id: string, data: Readonly<Record<string, unknown>>): Promise<boolean>;
  /** Finds a server: connected, recently disconnected or stored. */
  find(tx: ReadTx, id: string): Promise<Server | undefined>;
  /** True when the server, or one of its groups, is marked as ephemeral, so that it is not missed while it is away. */
  isEphemeral(server: Pick<Server, "ephemeral" | "groups">): boolean;
  /** A page of the servers with automatic groups, sorted by id; empty = no more. */
  automaticAfter(tx: ReadTx, id: string): Promise<readonly Server[]>;
  /**
   * Records a stored minute of a connected server; `json` is the text of its record. Returns the holder of that text,
   * which later minutes replace; undefined = the server is not connected to this node.
   */
  recorded(record: HostRecord, json: TextPieces): ReplacedText | undefined;
  /** Facts from the last minutes of servers on other nodes. */
  readonly far: Pick<FarFacts, "ask">;
  /** Receives connections and messages from agent transports. */
  readonly receiver: AgentReceiver;
  /** Checks the liveness of all sockets; call it once a second. */
  tick(): Promise<void>;
  /** True = `tick` would find no socket. */
  isIdle(): boolean;
  /** Computes the groups of connected servers again, for all or for some. */
  regroup(only?: readonly string[]): Promise<void>;
  /** Tests a hostname against the pattern of a group, in bounded time. */
  readonly matches: PatternTest;
  /** Takes over a record that was just stored, and tells the agent if its groups changed. Call it in `afterCommit`. */
  stored(server: Server): void;
  /** Rereads the stored record of a server that this node knows, and takes it over. */
  refresh(id: string): Promise<void>;
  /** This node's id. */
  readonly node: string;
  /** Options that keep queued work on this node, because it needs a connection of this node. */
  readonly pin: { readonly node?: string };
  /** Closes the connection of a server; with `socket`, only if it is that one. */
  close(id: string, reason: string, socket?: string): void;
  /** Deletes the server and its history once its connection ends. */
  expectRemoval(id: string): void;
  /** A server has disconnected: starts its deletion if one is expected. */
  departed(id: string): Promise<void>;
  /**
   * Disconnects a server and runs the steps of its deletion while it cannot be admitted. Rejects like `steps`. With
   * `sparesConnected` nothing happens to a server that is connected to any node.
   */
  remove(id: string, steps: () => Promise<void>, options?: RemovalOptions): Promise<void>;
  /** Drops everything that this node knows about a deleted server. Call it in `afterCommit`. */
  forget(id: string): void;
  /** Call it once a minute: at midnight it forgets servers that have disconnected. `now` is Unix seconds. */
  forgetAtMidnight(now: number): void;
  /** Call it once a minute: once a day it deletes the oldest servers beyond `db_maint.servers.max_rows`. */
  readonly maintain: Nightly;
  /** Sends changed script definitions to all connected servers. */
  announcePlugins(): void;
  /** Sends a server on this node its monitor plugins, because its checks have changed. */
  announceChecks(id: string): void;
  /** Sends all connected servers their monitor plugins again. */
  announceCommands(): void;
  /** Gives connected satellites tokens of the current secret key. */
  renewTokens(): void;
  /** Starts to follow other nodes' writes about servers. */
  follow(): Promise<void>;
  /** Sends the satellites on this node to the other nodes. Resolves when they have left. */
  handOff(): Promise<void>;
  /** From now on, a disconnection counts as part of the shutdown. */
  beginStop(): void;
  /** Waits for pending writes. */
  idle(): Promise<void>;
}

type Deps = Pick<
  Cradle,
  | (
      | "activity"
      | "agentKeys"
      | "alerts"
      | "bus"
      | "checks"
      | "clock"
      | "config"
      | "definitions"
      | "deletedServers"
      | "expressions"
    )
  | ("ids" | "jobInbox" | "jobs" | "log" | "monitorTests" | "monitors" | "nodes" | "registry" | "servers")
  | ("snapshot" | "snapshots" | "state" | "storage" | "transact" | "vault")
>;

export function createServers(deps: Deps): ServerRegistry {
  let stopping = false;
  const fleet = createFleet(deps);
  const far = { facts: createFarFacts(deps, fleet), minutes: createFarMinutes(deps, fleet) };
  const queue = createKeyedQueue((server, error) => deps.log.error({ server, error }, "A server was not recorded"));
  const announcements = createAnnouncements(deps, fleet.entries);
  const grouping = createGrouping(deps);
  const traffic = createInbound(deps, { fleet, queue, isStopping: () => stopping });
  const links: Links = createLinks(deps, {
    handshake: () => handshake,
    received: traffic.received,
    looked(connection) {
      traffic.flush(connection);
      announcements.serverCount(connection, fleet.count());
    },
    left(connection) {
      traffic.flush(connection);
      membership.left(connection);
    },
  });
  const handshake: Handshake = createHandshake(deps, {
    admit: (connection) => void queue.run(connection.id, () => membership.admit(connection)),
    close: links.close,
  });
  const membership: Membership = createMembership(deps, {
    ...{ fleet, queue, announcements, grouping, handshake, isStopping: () => stopping },
    close: links.close,
  });
  const { unfollow, ...upkeep } = createServerUpkeep(deps, {
    ...{ fleet, queue, announcements, far, grouping },
    end: links.close,
  });
  return {
    ...createLookup(deps, fleet, far),
    mergeUserData,
    ...upkeep,
    receiver: links.receiver,
    recorded: fleet.recorded,
    far: far.facts,
    ...{ tick: links.tick, isIdle: links.isIdle },
    handOff: createHandOff(deps, { entries: fleet.entries, announcements, flush: traffic.flush, close: links.close }),
    beginStop() {
      unfollow();
      stopping = true;
    },
    idle: queue.idle,
  };
}

interface InboundParts {
  readonly fleet: Fleet;
  readonly queue: KeyedQueue;
  readonly isStopping: () => boolean;
}

function createInbound(deps: Deps, { fleet, queue, isStopping }: InboundParts): Traffic {
  const route = createRoute(deps, fleet, queue);
  return createTraffic(deps, (connection, message) => {
    // During a shutdown only reports about jobs pass: agents in this process report the ends of their jobs now or
    // never.
    if (!isStopping() || JOB_COMMANDS.has(message.cmd)) route(connection, message);
  });
}

/**
 * Routes messages of joined servers to the services that handle them. Reads these from the cradle only when they are
 * needed.
 */
function createRoute(deps: Deps, fleet: Fleet, queue: KeyedQueue) {
  const agentLog = createAgentLog(deps);
  const reports: ReadonlyMap<string, (server: string, message: AgentMessage) => void> = new Map([
    ["monitor", (server, { data, text }) => deps.monitors.minute(server, data, text)],
    ["quickmon", (server, { data }) => deps.monitors.quick(server, data)],
    ["monitorPluginTestResult", (server, { data }) => deps.monitorTests.received(server, data)],
  ]);
  return ({ id }: Connection, message: AgentMessage): void => {
    const { cmd, data } = message;
    const entry = fleet.entry(id);
    if (!entry) return;
    const report = reports.get(cmd);
    if (report) report(id, message);
    else if (JOB_COMMANDS.has(cmd)) deps.jobInbox.received(id, message);
    else if (LOG_COMMANDS.has(cmd) && agentLog.mayWrite(id))
      void queue.run(id, () => agentLog.write(entry.server, cmd, data));
  };
}
