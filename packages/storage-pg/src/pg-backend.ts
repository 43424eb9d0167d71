import type { SqlBackend } from "@signalbox/adapters/kysely";
import type { Logger } from "@signalbox/core/adapter";
import type { Coordination, StorageFault } from "@signalbox/core/storage";
import { adoptHandle } from "./adopt.ts";
import { createBeats } from "./cluster/beats.ts";
import { createLetters, type Letters } from "./cluster/letters.ts";
import { createPulse, type Pulse } from "./cluster/pulse.ts";
import { createShares } from "./cluster/shares.ts";
import type { Connections } from "./connections.ts";
import { pgDialect } from "./dialect.ts";
import type { Desk } from "./leadership/desk.ts";
import { createFences, type Fences } from "./leadership/fences.ts";
import { createLeases } from "./leadership/lease.ts";
import { createOffices, type Offices } from "./leadership/offices.ts";
import { createListener } from "./listener.ts";
import { channelOf, notification, notify } from "./messages.ts";
import { clientSession, type StatementNames } from "./session.ts";
import { createSubscribers, type Subscribers } from "./subscribers.ts";
import { createTransactions } from "./transactions.ts";

interface BackendDeps {
  readonly connections: Connections;
  readonly schema: string;
  readonly nodeId: string;
  /** Absent behind a transaction-pooling proxy. */
  readonly names: StatementNames | undefined;
  readonly log: Logger;
}

export function pgBackend(deps: BackendDeps): SqlBackend {
  const { connections, schema, nodeId, names } = deps;
  const dialect = pgDialect(schema);
  let wakeWork: () => void = () => undefined;
  const subscribers = createSubscribers(nodeId, deps.log, () => wakeWork());
  const { offices, fences } = createLeadership(deps, subscribers);
  const transactions = createTransactions(connections, names, fences);
  const pulse = createPulse(connections);
  const letters = createLetters({ ...deps, pulse });
  const listener = createListener(deps, { subscribers, letters });
  const verified = new WeakSet<object>();
  const coordination = coordinationOf(deps, { offices, subscribers, pulse, letters });
  return {
    dialect,
    coordination,
    place: () => connections.place,
    advice: (fault) => ADVICE[fault],
    async start(wake) {
      wakeWork = wake;
    },
    exclusive: (work) => whileAlone(connections, schema, (client) => work(clientSession(client))),
    ready: listener.start,
    read: transactions.read,
    write: transactions.write,
    announce: (session, { messages, work, adopted }) =>
      notify(session, channelOf(schema), [
        ...messages.map((message) => ({ node: nodeId, message })),
        // Inside a host's transaction the commit cannot be seen, so this node too is woken by the server.
        ...(work ? [{ node: adopted ? "" : nodeId, work: true } as const] : []),
      ]),
    adopt: (handle, databaseId) => adoptHandle(handle, { schema, databaseId, verified }),
    async close() {
      await offices.stop();
      await transactions.idle();
      await pulse.end();
      await listener.stop();
      await connections.end();
    },
  };
}

interface Meeting {
  readonly offices: Offices;
  readonly subscribers: Subscribers;
  readonly pulse: Pulse;
  readonly letters: Letters;
}

const coordinationOf = (
  { nodeId, schema }: BackendDeps,
  { offices, subscribers, pulse, letters }: Meeting,
): Coordination => ({
  nodeId,
  shared: true,
  ...createBeats({ schema, pulse }),
  ...createShares({ schema, pulse }),
  ...{ post: letters.post, collect: letters.collect },
  lead: offices.lead,
  leaderOf: offices.leaderOf,
  subscribe: async (handler, onGap) => subscribers.add({ handler, onGap }),
});

/** The leader has resigned. */
const OFFICE_FREE = { type: "signalbox.office", payload: null };

function createLeadership(deps: BackendDeps, subscribers: Subscribers): { offices: Offices; fences: Fences } {
  const { schema, nodeId } = deps;
  const leases = createLeases(schema);
  const fences = createFences(leases);
  const free = notification(channelOf(schema), [{ node: nodeId, message: OFFICE_FREE }]);
  const tell = async ({ run }: Desk): Promise<void> => void (await run(...free));
  const offices = createOffices({ ...deps, leases, fences, tell });
  subscribers.add({ handler: ({ type }) => type === OFFICE_FREE.type && offices.wake(), onGap: offices.wake });
  return { offices, fences };
}

const ADVICE: Readonly<Partial<Record<StorageFault, string>>> = {
  gone: "Check that the address in connectionString, or of the pool, is right, that the server runs, and that its account may connect.",
  "read-only": "Give the address of the primary server.",
};

/** Runs `work` on a connection of its own while no other process does so for this schema. */
async function whileAlone<R>(
  connections: Connections,
  schema: string,
  work: (client: Awaited<ReturnType<Connections["connectAlone"]>>) => Promise<R>,
): Promise<R> {
  const client = await connections.connectAlone("migrate");
  try {
    // Ending the connection frees the lock, also when this process dies half-way.
    await client.query("select pg_advisory_lock(hashtextextended($1, 0))", [`signalbox ${schema} migrate`]);
    return await work(client);
  } finally {
    await client.end();
  }
}
