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

/** The writes when servers come and go (docs/contract/servers.md#arrival, docs/contract/servers.md#departure). */
export interface Arrivals {
  arrived(arrival: Arrival, grouping: Grouping): Promise<Server>;
  departed(server: Server, now: number): Promise<void>;
}

/** Changes by one server's coming or going. */
interface Movement {
  readonly id: string;
  readonly ip: string;
  /** The server as it is known here, where there is no stored one any more. */
  readonly known?: Server;
  /** Must not change `stored`. */
  readonly change: (stored: Server | undefined) => Change;
  readonly event: "server.added" | "server.removed";
}

interface Change {
  /** Undefined = there is no record, and none is made. */
  readonly server: Server | undefined;
  /** None = nothing has happened. */
  readonly entries: readonly ActivityEntry[];
}

interface Pending extends Movement {
  readonly resolve: (server: Server | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Servers that come or go at the same time share a transaction; with one each, 5,000 that come back to PostgreSQL took
 * 2 ms of processor time a server, most of it for writes to the socket. So many that others need not wait behind a
 * fleet.
 */
const TOGETHER = { size: 32, atOnce: 2 };

/** The movements of one server must be asked for one after another. */
export function createArrivals(cradle: Pick<Cradle, "transact" | "activity" | "storage">): Arrivals {
  const add = createBatches<Pending>((batch) => storeAll(cradle, batch), TOGETHER);
  const move = (movement: Movement): Promise<Server | undefined> =>
    new Promise((resolve, reject) => add({ ...movement, resolve, reject }));
  return {
    // A server that arrives has a record, then at the latest.
    arrived: async (arrival, grouping) => (await move(arrivalOf(arrival, grouping))) as Server,
    departed: async (server, now) => void (await move(departureOf(server, now, !cradle.storage.coordination.shared))),
  };
}

function arrivalOf(arrival: Arrival, grouping: Grouping): Movement {
  const { id, hostname, ip } = arrival;
  return {
    ...{ id, ip, event: "server.added" },
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

/** `isAlone`: no other node can have taken the server in meanwhile. */
function departureOf(server: Server, now: number, isAlone: boolean): Movement {
  const { id, hostname, ip, info, socket_id } = server;
  const description = `Server disconnected from the network: ${hostname} (${ip})`;
  const entries = [{ action: "server_remove", detail: { ...subjectOf(server), description } }];
  return {
    ...{ id, ip, event: "server.removed", known: server },
    change(stored) {
      // It came to another node before its end was noticed here, and is there still.
      const hasMoved = !isAlone && stored?.socket_id !== undefined && stored.socket_id !== socket_id;
      if (hasMoved) return { server: undefined, entries: [] };
      // Deleted while it was connected: only the log tells of it.
      return { server: stored && { ...stored, info, modified: now }, entries };
    },
  };
}

/** Stores them together or, when that fails, each for itself. Never rejects. */
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

/** Changes are sent together, and all of them are over when this is. */
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

/** Rows of the activity log carry the address of the agent. */
export const originOf = (ip: string): TransactOptions => ({ client: agentAt(ip) });

function subjectOf(server: Server): Record<string, unknown> {
  const { id, hostname, groups } = server;
  return { server_id: id, hostname, nice_server: niceServer(server), groups, keywords: [id] };
}
