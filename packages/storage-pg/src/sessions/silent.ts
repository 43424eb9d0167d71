import type { Writable } from "node:stream";
import type { Logger } from "@signalbox/core";
import type pg from "pg";

/** Milliseconds after which a server that neither answers nor says goodbye counts as unreachable by this connection. */
const ANSWER_MS = 4000;
const GOODBYE_MS = 1000;
/** Milliseconds between two checks, and until a borrowed connection is first checked. */
const LOOK_MS = 5000;

/** Members of a client that its types leave out. */
interface Inner {
  readonly connection?: { readonly stream?: Writable };
  /** False while an answer is outstanding. */
  readonly readyForQuery?: boolean;
  /** Number of the session on the server. */
  readonly processID?: number;
}

/** Undefined for a client without a socket. */
export const socketOf = (client: pg.ClientBase): Writable | undefined =>
  (client as unknown as Inner).connection?.stream;

/**
 * Rejects when no answer comes in time, and closes the connection: a later question would wait behind it for as long as the
 * system keeps sending, a quarter of an hour.
 */
export function inTime<R>(client: pg.ClientBase, asked: Promise<R>, waitMs = ANSWER_MS): Promise<R> {
  const { promise, reject } = Promise.withResolvers<never>();
  let isOver = false;
  const giveUp = (): void => {
    if (isOver) return;
    reject(new Error("The database does not answer"));
    socketOf(client)?.destroy();
  };
  // One turn later: if this process itself stalled, the answer has arrived meanwhile and is not read yet.
  const timer = setTimeout(() => setImmediate(giveUp), waitMs).unref();
  return Promise.race([asked, promise]).finally(() => {
    isOver = true;
    clearTimeout(timer);
  });
}

/** Ends a connection, by force if its goodbye gets no answer: `end` alone would wait forever. */
export async function hangUp(client: pg.Client): Promise<void> {
  const timer = setTimeout(() => socketOf(client)?.destroy(), GOODBYE_MS);
  await client.end();
  clearTimeout(timer);
}

/** Finds connections of the pool whose answers were lost on the way. */
export interface Silence {
  /** Watches a borrowed connection until the returned function is called. */
  hold(client: pg.PoolClient): () => void;
  /** Stops all checks. */
  end(): void;
}

interface Held {
  readonly client: pg.PoolClient & Inner;
  /** Milliseconds of the monotonic clock. */
  readonly sinceMs: number;
  /** State of the session on the server at the last check, when an answer was outstanding. */
  seen: string | undefined;
}

interface Deps {
  readonly connectAlone: (purpose: string) => Promise<pg.Client>;
  readonly log: Logger;
  readonly lookMs?: number;
}

/**
 * Closes borrowed connections whose session the server, asked twice on another connection, does not know or reports idle: a
 * router or a failover has dropped an answer on its way, and neither side would notice for a quarter of an hour. A statement may
 * take as long as it likes: while the server works on it, the connection stays open.
 */
export function createSilence(deps: Deps): Silence {
  const { log, lookMs = LOOK_MS } = deps;
  const all = new Set<Held>();
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;
  let isOver = false;
  const look = (): void => {
    if (isLooking) return;
    isLooking = true;
    lookAt(deps, all, lookMs)
      .catch((error: unknown) => log.warn({ error }, "The database could not be asked about silent connections"))
      .finally(() => {
        isLooking = false;
      });
  };
  return {
    hold(client) {
      const held: Held = { client, sinceMs: performance.now(), seen: undefined };
      all.add(held);
      if (!isOver) timer ??= setInterval(look, lookMs).unref();
      return () => void all.delete(held);
    },
    end() {
      isOver = true;
      clearInterval(timer);
    },
  };
}

async function lookAt({ connectAlone, log }: Deps, all: ReadonlySet<Held>, lookMs: number): Promise<void> {
  const waits = ({ client, sinceMs }: Held): boolean =>
    client.readyForQuery === false && performance.now() - sinceMs >= lookMs;
  const waiting = [...all].filter(waits);
  for (const held of all) if (!waiting.includes(held)) held.seen = undefined;
  if (waiting.length === 0) return;
  const activity = await activityOf(connectAlone, waiting);
  for (const held of waiting) {
    const now = activity.get(held.client.processID);
    const isSilent = now !== undefined && now === held.seen && all.has(held) && waits(held);
    held.seen = now;
    if (!isSilent) continue;
    log.warn({}, "A database connection has fallen silent, and is closed");
    socketOf(held.client)?.destroy();
  }
}

const ACTIVITY = `select pid, pid = pg_backend_pid() as own, state, state_change::text as since
  from pg_stat_activity where pid = any($1::int[])`;

/** State of each session that is not working; of none behind a proxy, which numbers sessions itself. */
async function activityOf(
  connectAlone: Deps["connectAlone"],
  waiting: readonly Held[],
): Promise<ReadonlyMap<number | undefined, string>> {
  const client: pg.Client & Inner = await connectAlone("look");
  try {
    const numbers = waiting.map((held) => held.client.processID);
    const { rows } = await inTime(client, client.query(ACTIVITY, [[client.processID, ...numbers]]));
    const activity = new Map<number | undefined, string>();
    if (!rows.some(({ own }) => own)) return activity;
    for (const number of numbers) activity.set(number, "gone");
    for (const { pid, state, since } of rows)
      if (String(state).startsWith("idle")) activity.set(Number(pid), `${state} ${since}`);
      else activity.delete(Number(pid));
    return activity;
  } finally {
    await hangUp(client);
  }
}
