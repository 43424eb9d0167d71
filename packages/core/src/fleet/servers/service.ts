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

/** The connected servers, as the rest of the engine sees them. */
export interface ServerRegistry {
  /** Servers that are connected to this node, in the order of their connection. */
  active(): readonly Server[];
  /** A server that is connected to this node. */
  get(id: string): Server | undefined;
  /**
   * Servers that are connected to any node: where there are several by their ids, so that each lists them alike, else in
   * the order of their connection.
   */
  everywhere(): readonly Server[];
  /** A server that is connected to any node. */
  anywhere(id: string): Server | undefined;
  /** Connection of a server, and its node. */
  whereabouts(id: string): Whereabouts;
  /**
   * The servers of the list that have connected to another node since they came to this one, which may have stood still
   * meanwhile: it writes nothing more in their name.
   */
  goneElsewhere(tx: ReadTx, servers: readonly string[]): Promise<ReadonlySet<string>>;
  /** Keeps queued work for a server on the node that it is connected to. */
  pinTo(id: string): { readonly node?: string };
  /** Servers that left not long ago; `modified` is when. */
  recent(): readonly Server[];
  /** Sends a message to a connected server; false when it is not connected here. */
  send(id: string, message: AgentMessage): boolean;
  /** The last minute's record of a connected or recently offline server. */
  latest(id: string): HostRecord | undefined;
  /**
   * The last minute's record of any server, as far as it is known without a question: for a server of another node it may
   * be as old as stored records are, five minutes.
   */
  hostRecord(tx: ReadTx, id: string): Promise<HostRecord | undefined>;
  /**
   * The last minutes' records of these servers: of servers of other nodes as their nodes say, and as they are stored
   * where a node does not answer within two seconds. Meant to be read before anything else, so that no snapshot of the
   * storage waits for an answer; not for a transaction that writes.
   */
  newestRecords(tx: ReadTx, ids: readonly string[]): Promise<ReadonlyMap<string, HostRecord>>;
  /** Time of the last minute of any server, connected to any node; asks no other node. Unix seconds. */
  lastMinuteAt(tx: ReadTx, id: string): Promise<number | undefined>;
  /** Stores records of full minutes as they are. */
  storeMinutes(tx: WriteTx, documents: readonly StoredDocument[]): Promise<void>;
  /**
   * Adds top-level members to a server's user data, without moving its revision: jobs do so every minute.
   * False when it would be too large; nothing happens to an unknown server.
   */
  mergeUserData(unit: Unit, id: string, data: Readonly<Record<string, unknown>>): Promise<boolean>;
  /** A server wherever it is known: connected, recently offline, stored. */
  find(tx: ReadTx, id: string): Promise<Server | undefined>;
  /** The server, or a group of it, is marked as one that comes and goes: it is not missed when it is away. */
  isEphemeral(server: Pick<Server, "ephemeral" | "groups">): boolean;
  /** A page of the servers whose groups follow from patterns, in the order of their ids; empty = there are no more. */
  automaticAfter(tx: ReadTx, id: string): Promise<readonly Server[]>;
  /**
   * Takes over the facts of a stored minute about a connected server; `json` is the text of the record. Returns the place
   * of that text, and of the texts of later minutes; undefined = the server is not connected.
   */
  recorded(record: HostRecord, json: TextPieces): ReplacedText | undefined;
  /** Last minute's facts about servers of other nodes. */
  readonly far: Pick<FarFacts, "ask">;
  /** Receiver of connections and messages from agent transports. */
  readonly receiver: AgentReceiver;
  /** Looks after the sockets; once a second. */
  tick(): Promise<void>;
  /** Works out the groups of connected servers anew, of all of them or of some. */
  regroup(only?: readonly string[]): Promise<void>;
  /** Tests a hostname against the pattern of a group; within bounds of time. */
  readonly matches: PatternTest;
  /**
   * Takes over a server's record that was just stored, and tells its agent of other groups. Meant for `afterCommit`.
   */
  stored(server: Server): void;
  /** Reads the stored record of a server that this node knows and takes it over. */
  refresh(id: string): Promise<void>;
  /** This node's id. */
  readonly node: string;
  /** Keeps queued work that needs a connection of this node on this node. */
  readonly pin: { readonly node?: string };
  /** Ends the connection of a server; with `socket`, only that one. */
  close(id: string, reason: string, socket?: string): void;
  /** Removes the server and its history when its connection ends. */
  expectRemoval(id: string): void;
  /** A server has left: if it is to be removed, that begins now. */
  departed(id: string): Promise<void>;
  /** Runs the last step of a removal while no connection of the server can be taken in. Rejects like `step`. */
  remove(id: string, step: () => Promise<void>): Promise<void>;
  /** The record of a server is gone: this node knows nothing of it any more. Meant for `afterCommit`. */
  forget(id: string): void;
  /** Once a minute: servers that left are forgotten at midnight. `now` is Unix seconds. */
  forgetAtMidnight(now: number): void;
  /** Once a minute: removes the oldest servers beyond `db_maint.servers.max_rows`, once a day. */
  readonly maintain: Nightly;
  /** Sends changed script definitions to all connected servers. */
  announcePlugins(): void;
  /** Sends a server that is connected here its monitor plugins: the checks that it asks are others. */
  announceChecks(id: string): void;
  /** Sends all connected servers their monitor plugins anew. */
  announceCommands(): void;
  /** Gives connected satellites their tokens of the current secret key. */
  renewTokens(): void;
  /** Takes over other nodes' writes about servers from now on. */
  follow(): Promise<void>;
  /** Sends the satellites that are connected here to the other nodes. Resolves when they have left. */
  handOff(): Promise<void>;
  /** From now on a vanishing socket is part of the shutdown. */
  beginStop(): void;
  /** Waits for writes under way. */
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
    ...{ fleet, queue, announcements, grouping, refuse: handshake.refuse, isStopping: () => stopping },
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
    tick: links.tick,
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
    // The jobs of an agent that ends with us report their end now, or never.
    if (!isStopping() || JOB_COMMANDS.has(message.cmd)) route(connection, message);
  });
}

/**
 * Hands the messages of joined servers to the services they are for. Those services are read from the cradle when
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
