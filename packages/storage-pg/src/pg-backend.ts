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
import { type Changes, createChanges } from "./news/changes.ts";
import { createListener, type Listener } from "./news/listener.ts";
import { channelOf, NOTIFY, type Notification, notifyParameters } from "./news/messages.ts";
import { createSubscribers, type Subscribers } from "./news/subscribers.ts";
import { createWakes, type Wakes } from "./news/wakes.ts";
import { clientSession, type StatementNames } from "./session.ts";
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
  let wakeWork: () => void = () => undefined;
  const news = createNews(deps, { work: () => wakeWork(), leads: () => offices.leaderOf(LEADER) === nodeId });
  const { offices, fences } = createLeadership(deps, news);
  const transactions = createTransactions(connections, names, fences);
  const { changes, listener, pulse, wakes } = news;
  const verified = new WeakSet<object>();
  return {
    dialect: pgDialect(schema),
    coordination: coordinationOf(deps, { offices, ...news }),
    place: () => connections.place,
    advice: (fault) => ADVICE[fault],
    async start(wake) {
      wakeWork = wake;
    },
    exclusive: (work) => whileAlone(connections, schema, (client) => work(clientSession(client))),
    async ready() {
      await listener.start();
      await changes.begin();
    },
    read: transactions.read,
    write: transactions.write,
    announce: createAnnounce(deps, news),
    adopt: (handle, databaseId) => adoptHandle(handle, { schema, databaseId, verified }),
    async close() {
      await offices.stop();
      await transactions.idle();
      await changes.end();
      await wakes.idle();
      await pulse.end();
      await listener.stop();
      await connections.end();
    },
  };
}

/** The office whose holder tidies what all share. */
const LEADER = "leader";

interface News {
  readonly subscribers: Subscribers;
  readonly pulse: Pulse;
  readonly letters: Letters;
  readonly wakes: Wakes;
  readonly changes: Changes;
  readonly listener: Listener;
}

function createNews(deps: BackendDeps, { work, leads }: { work: () => void; leads: () => boolean }): News {
  const { connections, log, nodeId, schema } = deps;
  const pulse = createPulse(connections);
  const subscribers = createSubscribers(nodeId, log, { work, changes: () => changes.wake() });
  const changes = createChanges({ ...deps, pulse }, { ...subscribers, tidies: leads });
  const letters = createLetters({ ...deps, pulse });
  const wakes = createWakes({ ...deps, channel: channelOf(schema), pulse });
  const listener = createListener(deps, { subscribers, letters });
  return { changes, letters, listener, pulse, subscribers, wakes };
}

const coordinationOf = (
  { nodeId, schema }: BackendDeps,
  { offices, subscribers, pulse, letters, wakes }: News & { readonly offices: Offices },
): Coordination => ({
  nodeId,
  shared: true,
  ...createBeats({ schema, pulse }),
  ...createShares({ schema, pulse }),
  ...{ post: letters.post, collect: letters.collect },
  lead: offices.lead,
  leaderOf: offices.leaderOf,
  tell: (message) => wakes.send([{ node: nodeId, message }]),
  subscribe: async (handler, onGap) => subscribers.add({ handler, onGap }),
});

/** Inside a host's transaction the commit cannot be seen: there alone the notification goes with it. */
function createAnnounce({ nodeId, schema }: BackendDeps, { changes, wakes }: News): SqlBackend["announce"] {
  return async (session, { messages, work, adopted }) => {
    if (messages.length > 0)
      await changes.store(
        session,
        messages.map((message) => ({ node: nodeId, message })),
      );
    const news: Notification[] = messages.map((message) => ({ node: nodeId, message, logged: true }));
    // This node, too, is woken by the server.
    if (work) news.push({ node: adopted ? "" : nodeId, work: true });
    if (!adopted) return () => void wakes.send(news);
    await session.run(NOTIFY, notifyParameters(channelOf(schema), news));
    return undefined;
  };
}

/** The leader has resigned. */
const OFFICE_FREE = { type: "signalbox.office", payload: null };

function createLeadership(deps: BackendDeps, { subscribers }: News): { offices: Offices; fences: Fences } {
  const { schema, nodeId } = deps;
  const leases = createLeases(schema);
  const fences = createFences(leases);
  const free = notifyParameters(channelOf(schema), [{ node: nodeId, message: OFFICE_FREE }]);
  const tell = async ({ run }: Desk): Promise<void> => void (await run(NOTIFY.sql, free));
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
