import type { ActivityEntry } from "../../../../directory/activity/rules/row.ts";
import { agentAt, systemActor } from "../../../../kernel/calls/context.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import type { TransactOptions, Unit } from "../../../../kernel/transactions/unit-of-work.ts";
import { createBatches } from "../../../../lib/turns/batches.ts";
import { settleAll } from "../../../../lib/turns/settle-all.ts";
import { serverCollection } from "../../collection.ts";
import type { Server } from "../../model.ts";
import { type Arrival, changesOf, connectServer, type Grouping } from "../../rules/joining/connect.ts";
import { niceServer, storedServer } from "../../rules/shown/public.ts";

/**
 * Writes for servers that connect and disconnect (docs/contract/servers.md#arrival,
 * docs/contract/servers.md#departure).
 */
export interface Arrivals {
  arrived(arrival: Arrival, grouping: Grouping): Promise<Server>;
  departed(server: Server, now: number): Promise<void>;
}

/** What changes when one server connects or disconnects. */
interface Movement {
  readonly id: string;
  readonly ip: string;
  /** The server as this node knows it, if it is not stored any more. */
  readonly known?: Server;
  /** Must not change `stored`. */
  readonly change: (stored: Server | undefined) => Change;
  readonly event: "server.added" | "server.removed";
}

interface Change {
  /** Undefined = there is no record, and none is created. */
  readonly server: Server | undefined;
  /** Empty = nothing has happened. */
  readonly entries: readonly ActivityEntry[];
}

interface Pending extends Movement {
  readonly resolve: (server: Server | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Servers that connect or disconnect at the same time share a transaction. With one each, 5,000 that reconnected took 2
 * ms of processor time per server on PostgreSQL, most of it for socket writes. The batches are small enough that other
 * work does not wait behind a fleet.
 */
const TOGETHER = { size: 32, atOnce: 2 };

/** Callers must serialise the movements of each server. */
export function createArrivals(cradle: Pick<Cradle, "transact" | "activity" | "storage">): Arrivals {
  const add = createBatches<Pending>((batch) => storeAll(cradle, batch), TOGETHER);
  const move = (movement: Movement): Promise<Server | undefined> =>
    new Promise((resolve, reject) => add({ ...movement, resolve, reject }));
  return {
    // A server that connects always has a record afterwards.
    arrived: async (arrival, grouping) => (await move(arrivalOf(arrival, grouping))) as Server,
    departed: async (server, now) => void (await move(departureOf(server, now, !cradle.storage.coordination.shared))),
  };
}

function arrivalOf(arrival: Arrival, grouping: Grouping): Movement {
  const { id, hostname, ip } = arrival;
  return {
    id,
    ip,
    event: "server.added",
    change(stored) {
      const server = connectServer(stored, arrival, grouping);
      const tell = (action: string, description: string): ActivityEntry => ({
        action,
        detail: { ...subjectOf(server), description },
      });
      const warnings = changesOf(stored, arrival).map((description) => tell("warning", description));
      const added = tell("server_add", `Server connected to the network: ${hostname} (${ip})`);
      return { server, entries: [...warnings, added] };
    },
  };
}

/** `isAlone` = no other node can have admitted the server meanwhile. */
function departureOf(server: Server, now: number, isAlone: boolean): Movement {
  const { id, hostname, ip, info, socket_id } = server;
  const description = `Server disconnected from the network: ${hostname} (${ip})`;
  const entries = [{ action: "server_remove", detail: { ...subjectOf(server), description } }];
  return {
    id,
    ip,
    event: "server.removed",
    known: server,
    change(stored) {
      // It connected to another node before this one noticed the disconnection, and is still there.
      const hasMoved = !isAlone && stored?.socket_id !== undefined && stored.socket_id !== socket_id;
      if (hasMoved) return { server: undefined, entries: [] };
      // If it was deleted while connected, only the activity log records this.
      return { server: stored && { ...stored, info, modified: now }, entries };
    },
  };
}

/** Stores a batch together, or one by one if that fails. Never rejects. */
async function storeAll(cradle: Pick<Cradle, "transact" | "activity">, batch: readonly Pending[]): Promise<void> {
  try {
    const servers = await store(cradle, batch);
    for (const [index, { resolve }] of batch.entries()) resolve(servers[index]);
  } catch (error) {
    if (batch.length === 1) batch[0]?.reject(error);
    else for (const one of batch) await storeAll(cradle, [one]);
  }
}

const store = (
  { transact, activity }: Pick<Cradle, "transact" | "activity">,
  movements: readonly Movement[],
): Promise<(Server | undefined)[]> =>
  transact(async (unit) => {
    const stored = await unit.tx.collection(serverCollection).getMany(movements.map(({ id }) => id));
    const changes = movements.map(({ ip, change }, index) => ({ ip, ...change(stored[index]) }));
    const servers = changes.map(({ server }) => server);
    await writeServers(unit, servers, stored);
    const entries = changes.flatMap(({ ip, entries: told }): SignedEntry[] =>
      told.map((entry) => ({ entry, actor: systemActor, client: agentAt(ip) })),
    );
    await activity.writeMany(unit.tx, entries);
    for (const [index, { event, known }] of movements.entries()) {
      const server = servers[index] ?? known;
      if (server && changes[index]?.entries.length) unit.emit(event, storedServer(server));
    }
    return servers;
  });

type SignedEntry = Parameters<Cradle["activity"]["writeMany"]>[1][number];
type Servers = readonly (Server | undefined)[];

/** Sends all changes at once, and waits for all of them. */
async function writeServers({ tx }: Unit, servers: Servers, stored: Servers): Promise<void> {
  const collection = tx.collection(serverCollection);
  const writes: Promise<unknown>[] = [];
  const added: Server[] = [];
  for (const [index, server] of servers.entries()) {
    if (!server) continue;
    if (stored[index]) writes.push(collection.update(server.id, () => server));
    else added.push(server);
  }
  if (added.length > 0) writes.push(collection.insertMany(added));
  await settleAll(writes);
}

/** Activity rows carry the address of the agent. */
export const originOf = (ip: string): TransactOptions => ({ client: agentAt(ip) });

function subjectOf(server: Server): Record<string, unknown> {
  const { id, hostname, groups } = server;
  return { server_id: id, hostname, nice_server: niceServer(server), groups, keywords: [id] };
}
