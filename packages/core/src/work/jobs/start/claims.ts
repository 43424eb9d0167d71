import type { Cradle } from "../../../kernel/container.ts";
import type { ReadTx, WriteTx } from "../../../ports/storage/storage.ts";
import { serverPlaceCollection } from "../collection.ts";
import type { ServerPlace } from "../model.ts";
import { placeNews } from "./place-news.ts";
import { isLaterElsewhere } from "./rules/place.ts";

/**
 * The stored places of the servers that are connected to this node. Each connection has an epoch, larger than all earlier ones of
 * its server. So a node that was stalled learns that its servers have connected elsewhere, and writes nothing more for them.
 */
export interface Claims {
  has(server: string): boolean;
  /** Servers that are connected to this node. */
  all(): Iterable<string>;
  isLocal(server: string): boolean;
  /** A server has connected to this node. */
  joined(server: string, options: { readonly isLocal: boolean }): void;
  left(server: string): void;
  /**
   * Claims places again that became free because other nodes considered this one dead, and disconnects servers that have
   * connected elsewhere.
   */
  again(): void;
  /** Retries to store places that could not be stored. */
  retry(): void;
  /** Disconnects servers that have since connected to another node. */
  compare(elsewhere: readonly ServerPlace[]): void;
  /** Claims places again that are free: another node took and released them before this one noticed. */
  reclaim(servers: readonly string[]): void;
  /** Those servers that have connected to another node since they connected to this one. */
  goneElsewhere(tx: ReadTx, servers: readonly string[]): Promise<ReadonlySet<string>>;
}

interface Held {
  readonly isLocal: boolean;
  /** The stored place was removed: it is claimed again, unless the server has another one by now. */
  isReturn: boolean;
  /** Epoch of the stored place; undefined = not stored yet. */
  epoch: number | undefined;
}

type Deps = Pick<Cradle, "log" | "nodes" | "servers" | "storage" | "transact">;

interface Context {
  readonly deps: Deps;
  readonly held: Map<string, Held>;
}

const MOVED = "The server has connected to another node.";
const NONE: ReadonlySet<string> = new Set();
/** Most places per transaction. A node that comes back claims thousands, and others wait for its locks. */
const TOGETHER = 32;

export function createClaims(deps: Deps): Claims {
  const { nodeId } = deps.storage.coordination;
  const held = new Map<string, Held>();
  const letGo = (servers: readonly string[]): void => {
    for (const id of servers) deps.servers.close(id, MOVED);
  };
  const { write, retry } = createWriting({ deps, held }, letGo);
  // Creates new objects, so that the end of a pending claim does not affect the place that was removed.
  const claimAgain = (servers: readonly string[]): void => {
    for (const id of servers) {
      const one = held.get(id);
      if (one) held.set(id, { ...one, isReturn: true });
    }
    write(servers);
  };
  const isGone = (place: ServerPlace): boolean => isLaterElsewhere(place, { node: nodeId, held: held.get(place.id) });
  return {
    retry,
    has: (server) => held.has(server),
    all: () => held.keys(),
    isLocal: (server) => held.get(server)?.isLocal === true,
    joined(server, { isLocal }) {
      held.set(server, { isLocal, isReturn: false, epoch: undefined });
      write([server]);
    },
    left(server) {
      held.delete(server);
      write([server]);
    },
    again: () => claimAgain([...held.keys()]),
    reclaim: (servers) => claimAgain(servers.filter((id) => held.get(id)?.epoch !== undefined)),
    compare: (elsewhere) =>
      letGo(elsewhere.flatMap((place) => (held.has(place.id) && isGone(place) ? [place.id] : []))),
    async goneElsewhere(tx, servers) {
      if (!deps.storage.coordination.shared || servers.length === 0) return NONE;
      const places = await tx.collection(serverPlaceCollection).getMany(servers);
      return new Set(places.flatMap((place) => (place && isGone(place) ? [place.id] : [])));
    },
  };
}

/**
 * Stores the connected servers in the background, one transaction at a time. With two concurrent transactions for one server,
 * this node could only know the earlier epoch: it would disconnect the server in favour of another node, which disconnects it
 * because of the later epoch. A process that does not share its storage writes nothing.
 */
function createWriting(context: Context, letGo: (servers: readonly string[]) => void) {
  const { log, storage } = context.deps;
  /** Servers that connected, disconnected or lost their place since their place was stored. */
  const waiting = new Set<string>();
  let isWriting = false;
  async function writeAll(): Promise<void> {
    while (waiting.size > 0) {
      const servers = [...waiting].slice(0, TOGETHER);
      for (const id of servers) waiting.delete(id);
      try {
        letGo(await storePlaces(context, servers));
      } catch (error) {
        for (const id of servers) waiting.add(id);
        log.warn({ servers, error }, "Places of servers were not stored");
        return;
      }
    }
  }
  const retry = (): void => {
    if (isWriting) return;
    isWriting = true;
    void writeAll().finally(() => {
      isWriting = false;
    });
  };
  return {
    retry,
    write(servers: readonly string[]): void {
      if (!storage.coordination.shared) return;
      for (const id of servers) waiting.add(id);
      retry();
    },
  };
}

/** Returns those servers of a returning node that have another place by now. */
async function storePlaces(context: Context, servers: readonly string[]): Promise<string[]> {
  const { claimed, gone } = await context.deps.transact(async ({ tx }) => {
    const done: Stored = { claimed: new Map(), gone: [] };
    // Always in the same order, so that nodes that store many places at the same time cannot deadlock.
    for (const id of servers.toSorted()) await storePlace(context, tx, id, done);
    return done;
  });
  for (const [one, epoch] of claimed) {
    one.epoch = epoch;
    one.isReturn = false;
  }
  return gone;
}

interface Stored {
  /** Epochs of the connections whose place has been stored. */
  readonly claimed: Map<Held, number>;
  readonly gone: string[];
}

async function storePlace({ deps, held }: Context, tx: WriteTx, id: string, done: Stored): Promise<void> {
  const { nodeId: node } = deps.storage.coordination;
  const places = tx.collection(serverPlaceCollection);
  // A server may connect to two nodes at the same time.
  await tx.lock(`place:${id}`);
  const before = await places.get(id);
  const one = held.get(id);
  // Already stored: another claim would take the place from a node to which the server has connected since.
  if (one?.epoch !== undefined && !one.isReturn) return;
  if (one?.isReturn && !one.isLocal && before && before.node !== node) {
    done.gone.push(id);
    return;
  }
  if (one) {
    const epoch = Math.max((before?.epoch ?? 0) + 1, Math.floor(deps.nodes.nowMs()));
    if (before) await places.update(id, () => ({ id, node, epoch }));
    else await places.insert({ id, node, epoch });
    done.claimed.set(one, epoch);
  } else if (before?.node === node) await places.delete(id);
  else return;
  tx.publish(placeNews(id));
}
