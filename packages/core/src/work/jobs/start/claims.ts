import type { Cradle } from "../../../kernel/container.ts";
import type { ReadTx, WriteTx } from "../../../ports/storage/storage.ts";
import { serverPlaceCollection } from "../collection.ts";
import type { ServerPlace } from "../model.ts";
import { placeNews } from "./place-news.ts";
import { isLaterElsewhere } from "./rules/place.ts";

/**
 * The stored places of the servers that are connected to this node. Each connection has an epoch, larger than all before
 * it of that server, so that a node which stood still learns that its servers have gone elsewhere, and writes nothing
 * more in their name.
 */
export interface Claims {
  has(server: string): boolean;
  /** Servers that are connected here. */
  all(): Iterable<string>;
  isLocal(server: string): boolean;
  /** A server connected here. */
  joined(server: string, options: { readonly isLocal: boolean }): void;
  left(server: string): void;
  /** Claims free places anew after others took this node for dead, and lets servers go that went elsewhere. */
  again(): void;
  /** Tries once more to store places that could not be stored. */
  retry(): void;
  /** Lets servers go that have connected to another node since. */
  compare(elsewhere: readonly ServerPlace[]): void;
  /** Claims places anew that nobody has: another node took them and gave them back before this one heard of it. */
  reclaim(servers: readonly string[]): void;
  /** The servers of the list that have connected to another node since they came to this one. */
  goneElsewhere(tx: ReadTx, servers: readonly string[]): Promise<ReadonlySet<string>>;
}

interface Held {
  readonly isLocal: boolean;
  /** The stored place was taken away: it is claimed anew, unless the server has another one by now. */
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
/** Places of one transaction. A node that comes back claims thousands, which others wait for. */
const TOGETHER = 32;

export function createClaims(deps: Deps): Claims {
  const { nodeId } = deps.storage.coordination;
  const held = new Map<string, Held>();
  const letGo = (servers: readonly string[]): void => {
    for (const id of servers) deps.servers.close(id, MOVED);
  };
  const { write, retry } = createWriting({ deps, held }, letGo);
  // New objects, so that the end of a claim that is under way says nothing about the place that was taken away.
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
 * Stores the held servers in the background, one transaction after another. With two transactions under way for one
 * server, this node could know the earlier epoch alone: it would let the server go for another node, which lets it go for
 * the later epoch. A process that is alone with its storage writes nothing.
 */
function createWriting(context: Context, letGo: (servers: readonly string[]) => void) {
  const { log, storage } = context.deps;
  /** Servers that came, left or lost their place since their place was stored. */
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

/** Returns the servers of a node that comes back that have another one by now. */
async function storePlaces(context: Context, servers: readonly string[]): Promise<string[]> {
  const { claimed, gone } = await context.deps.transact(async ({ tx }) => {
    const done: Stored = { claimed: new Map(), gone: [] };
    // In one order: nodes that store many places at the same moment wait for each other, and never in a circle.
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
  /** The epochs of connections whose place is stored now. */
  readonly claimed: Map<Held, number>;
  readonly gone: string[];
}

async function storePlace({ deps, held }: Context, tx: WriteTx, id: string, done: Stored): Promise<void> {
  const { nodeId: node } = deps.storage.coordination;
  const places = tx.collection(serverPlaceCollection);
  // A server may come to two nodes at the same moment.
  await tx.lock(`place:${id}`);
  const before = await places.get(id);
  const one = held.get(id);
  // Stored by now: a claim more would take the place from a node that the server has come to since.
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
