import type { SqlBackend } from "@signalbox/adapters/kysely";
import type { Logger } from "@signalbox/core/adapter";
import type { Coordination, StorageFault } from "@signalbox/core/storage";
import type pg from "pg";
import { createBeats } from "./cluster/beats.ts";
import { createLetters, type Letters } from "./cluster/letters.ts";
import { createPulse, type Pulse } from "./cluster/pulse.ts";
import { createShares } from "./cluster/shares.ts";
import { pgDialect } from "./dialect.ts";
import type { Desk } from "./leadership/desk.ts";
import { createFences, type Fences } from "./leadership/fences.ts";
import { createLeases } from "./leadership/lease.ts";
import { createOffices, type Offices } from "./leadership/offices.ts";
import type { Carrier } from "./news/carrier.ts";
import { type Changes, createChanges } from "./news/changes.ts";
import { createListener, type Listener } from "./news/listener.ts";
import { createMailbox, type Mailbox } from "./news/mailbox.ts";
import { channelOf, NOTIFY, type Notification, notifyParameters } from "./news/messages.ts";
import { createSubscribers, type Subscribers } from "./news/subscribers.ts";
import { createWakes, type Wakes } from "./news/wakes.ts";
import { adoptHandle } from "./sessions/adopt.ts";
import type { Connections } from "./sessions/connections.ts";
import { clientSession, type StatementNames } from "./sessions/session.ts";
import { createTransactions } from "./sessions/transactions.ts";

interface BackendDeps {
  readonly connections: Connections;
  readonly carrier: Carrier;
  readonly schema: string;
  readonly nodeId: string;
  /** Names of prepared statements; absent behind a transaction-pooling proxy. */
  readonly names: StatementNames | undefined;
  readonly log: Logger;
}

export function pgBackend(deps: BackendDeps): SqlBackend {
  const { carrier, connections, schema, nodeId, names } = deps;
  let wakeWork: () => void = () => undefined;
  const news = createNews(deps, { work: () => wakeWork(), leads: () => offices.leaderOf(LEADER) === nodeId });
  const { offices, fences } = createLeadership(deps, news);
  const transactions = createTransactions(connections, () => (carrier.polls ? undefined : names), fences);
  const { changes, letters, listener, mailbox, pulse, subscribers, wakes } = news;
  const verified = new WeakSet<object>();
  return {
    dialect: pgDialect(schema),
    coordination: coordinationOf(deps, { offices, ...news }),
    place: () => connections.place,
    advice: (fault) => ADVICE[fault],
    async start(wake) {
      wakeWork = wake;
    },
    exclusive: (work) => whileAlone(deps, (client) => work(clientSession(client))),
    async ready() {
      if (carrier.polls) mailbox.begin({ letter: letters.deliver, news: subscribers.deliver });
      else await listener.start();
      await changes.begin();
    },
    read: transactions.read,
    write: transactions.write,
    alone: transactions.alone,
    look: transactions.look,
    announce: createAnnounce(deps, news),
    adopt: (handle, databaseId) => adoptHandle(handle, { schema, databaseId, verified }),
    async close() {
      await offices.stop();
      await transactions.idle();
      await changes.end();
      await wakes.end();
      await mailbox.end();
      await pulse.end();
      await listener.stop();
      await connections.end();
    },
  };
}

/** The office whose holder tidies the tables that all nodes share. */
const LEADER = "leader";

interface News {
  readonly subscribers: Subscribers;
  readonly pulse: Pulse;
  readonly letters: Letters;
  readonly mailbox: Mailbox;
  readonly wakes: Wakes;
  readonly changes: Changes;
  readonly listener: Listener;
}

function createNews(deps: BackendDeps, { work, leads }: { work: () => void; leads: () => boolean }): News {
  const { carrier, connections, log, nodeId, schema } = deps;
  const pulse = createPulse(connections, carrier);
  const mailbox = createMailbox({ ...deps, pulse });
  const subscribers = createSubscribers(nodeId, log, { work, changes: () => changes.wake() });
  const changes = createChanges({ ...deps, pulse }, { ...subscribers, tidies: leads });
  const letters = createLetters({ ...deps, mailbox, pulse });
  const wakes = createWakes({ ...deps, channel: channelOf(schema), mailbox, pulse });
  const listener = createListener(deps, { subscribers, letters });
  pulse.onLost(listener.check);
  return { changes, letters, listener, mailbox, pulse, subscribers, wakes };
}

const coordinationOf = (
  { nodeId, schema }: BackendDeps,
  { offices, subscribers, pulse, letters, wakes }: News & { readonly offices: Offices },
): Coordination => ({
  nodeId,
  shared: true,
  ...createBeats({ schema, pulse }),
  ...createShares({ schema, pulse }),
  post: letters.post,
  collect: letters.collect,
  lead: offices.lead,
  leaderOf: offices.leaderOf,
  tell: (message) => wakes.send([{ node: nodeId, message }]),
  subscribe: async (handler, onGap) => subscribers.add({ handler, onGap }),
});

/** Inside a host's transaction the commit cannot be seen: only there the notification is part of the transaction. */
function createAnnounce({ carrier, nodeId, schema }: BackendDeps, { changes, wakes }: News): SqlBackend["announce"] {
  return async (session, { messages, work, adopted }) => {
    if (messages.length > 0)
      await changes.store(
        session,
        messages.map((message) => ({ node: nodeId, message })),
      );
    const news: Notification[] = messages.map((message) => ({ node: nodeId, message, logged: true }));
    // The server wakes this node, too.
    if (work.size > 0) news.push({ node: adopted ? "" : nodeId, work: true, ...addressOf(work) });
    if (!adopted) return () => void wakes.send(news);
    if (!carrier.polls) await session.run(NOTIFY, notifyParameters(channelOf(schema), news));
    return undefined;
  };
}

/** The nodes of queued work, so that no other node looks for it; without `to` all are called. */
const addressOf = (work: ReadonlySet<string | undefined>): { readonly to?: readonly string[] } =>
  work.has(undefined) ? {} : { to: [...work].filter((node) => node !== undefined) };

/** The leader has resigned. */
const OFFICE_FREE = { type: "signalbox.office", payload: null };

function createLeadership(deps: BackendDeps, { subscribers }: News): { offices: Offices; fences: Fences } {
  const { carrier, schema, nodeId } = deps;
  const leases = createLeases(schema);
  const fences = createFences(leases);
  const free = notifyParameters(channelOf(schema), [{ node: nodeId, message: OFFICE_FREE }]);
  const tell = async ({ run }: Desk): Promise<void> => {
    if (!carrier.polls) await run(NOTIFY.sql, free);
  };
  const offices = createOffices({ ...deps, leases, fences, tell });
  subscribers.add({ handler: ({ type }) => type === OFFICE_FREE.type && offices.wake(), onGap: offices.wake });
  return { offices, fences };
}

const ADVICE: Readonly<Partial<Record<StorageFault, string>>> = {
  gone: "Check that the address in connectionString, or of the pool, is right, that the server runs, and that its account may connect.",
  "read-only": "Give the address of the primary server.",
};

type Alone = Pick<BackendDeps, "carrier" | "connections" | "schema">;

/** Runs `work` on its own connection, while no other process does so for this schema. */
async function whileAlone<R>(
  { carrier, connections, schema }: Alone,
  work: (client: pg.Client) => Promise<R>,
): Promise<R> {
  const client = await connections.connectAlone("migrate");
  try {
    await carrier.settle(client);
    if (carrier.polls) return await besideLock(connections, schema, () => work(client));
    // Closing the connection frees the lock, even when this process dies halfway.
    await client.query(`select pg_advisory_lock(${LOCK_KEY})`, [`signalbox ${schema} migrate`]);
    return await work(client);
  } finally {
    await client.end();
  }
}

const LOCK_KEY = "hashtextextended($1, 0)";

/** A session that serves other clients would never release the lock. So a transaction holds it, and another connection works. */
async function besideLock<R>({ connectAlone }: Connections, schema: string, work: () => Promise<R>): Promise<R> {
  const keeper = await connectAlone("migrate");
  try {
    await keeper.query("begin; set local idle_in_transaction_session_timeout = 0");
    await keeper.query(`select pg_advisory_xact_lock(${LOCK_KEY})`, [`signalbox ${schema} migrate`]);
    const result = await work();
    await keeper.query("commit");
    return result;
  } finally {
    await keeper.end();
  }
}
