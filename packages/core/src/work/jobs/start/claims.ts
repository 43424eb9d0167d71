import type { Cradle } from "../../../kernel/container.ts";
import type { ReadTx } from "../../../ports/storage.ts";
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
  isLocal(server: string): boolean;
  /** A server connected here. */
  joined(server: string, options: { readonly isLocal: boolean }): void;
  left(server: string): void;
  /** Claims free places anew after others took this node for dead, and lets servers go that went elsewhere. */
  again(): void;
  /** Tries once more to store claims that could not be stored. */
  retry(): void;
  /** Lets servers go that have connected to another node since. */
  compare(elsewhere: readonly ServerPlace[]): void;
  /** The servers of the list that have connected to another node since they came to this one. */
  goneElsewhere(tx: ReadTx, servers: readonly string[]): Promise<ReadonlySet<string>>;
}

interface Held {
  readonly isLocal: boolean;
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

export function createClaims(deps: Deps): Claims {
  const { nodeId } = deps.storage.coordination;
  const held = new Map<string, Held>();
  const { claim, give, letGo } = createWriting({ deps, held });
  const isGone = (place: ServerPlace): boolean => isLaterElsewhere(place, { node: nodeId, held: held.get(place.id) });
  return {
    has: (server) => held.has(server),
    isLocal: (server) => held.get(server)?.isLocal === true,
    joined(server, { isLocal }) {
      held.set(server, { isLocal, epoch: undefined });
      claim([server], false);
    },
    left(server) {
      const { epoch } = held.get(server) ?? {};
      held.delete(server);
      give(server, epoch);
    },
    again: () => claim([...held.keys()], true),
    retry: () =>
      claim(
        [...held].flatMap(([id, { epoch }]) => (epoch === undefined ? [id] : [])),
        false,
      ),
    compare: (elsewhere) =>
      letGo(elsewhere.flatMap((place) => (held.has(place.id) && isGone(place) ? [place.id] : []))),
    async goneElsewhere(tx, servers) {
      if (!deps.storage.coordination.shared || servers.length === 0) return NONE;
      const places = await tx.collection(serverPlaceCollection).getMany(servers);
      return new Set(places.flatMap((place) => (place && isGone(place) ? [place.id] : [])));
    },
  };
}

/** Writes in the background; a process that is alone with its storage writes nothing. */
function createWriting(context: Context) {
  const { log, servers: registry, storage } = context.deps;
  const { nodeId, shared } = storage.coordination;
  const store = (server: string, change: () => Promise<void>): void => {
    if (shared) change().catch((error: unknown) => log.warn({ server, error }, "The place of a server was not stored"));
  };
  const letGo = (servers: readonly string[]): void => {
    for (const id of servers) registry.close(id, MOVED);
  };
  return {
    letGo,
    claim: (servers: readonly string[], isReturn: boolean): void =>
      store(servers[0] ?? nodeId, async () => letGo(await claimPlaces(context, servers, isReturn))),
    give: (server: string, epoch: number | undefined): void => store(server, () => givePlace(context, server, epoch)),
  };
}

/** A server may come to two nodes at the same moment. */
const placeLock = (server: string): string => `place:${server}`;

/** Returns the servers of a node that comes back that have another one by now. */
async function claimPlaces({ deps, held }: Context, servers: readonly string[], isReturn: boolean): Promise<string[]> {
  const { nodeId: node } = deps.storage.coordination;
  if (servers.length === 0) return [];
  const { claimed, gone } = await deps.transact(async ({ tx }) => {
    const places = tx.collection(serverPlaceCollection);
    const done = { claimed: new Map<string, number>(), gone: [] as string[] };
    // In one order: a node that claims all of its servers waits for one that claims a few, and never the other way round.
    for (const id of servers.filter((server) => held.has(server)).toSorted()) {
      await tx.lock(placeLock(id));
      const before = await places.get(id);
      if (isReturn && !held.get(id)?.isLocal && before && before.node !== node) {
        done.gone.push(id);
        continue;
      }
      const epoch = Math.max((before?.epoch ?? 0) + 1, Math.floor(deps.nodes.nowMs()));
      if (before) await places.update(id, () => ({ id, node, epoch }));
      else await places.insert({ id, node, epoch });
      tx.publish(placeNews(id));
      done.claimed.set(id, epoch);
    }
    return done;
  });
  for (const [id, epoch] of claimed) {
    const one = held.get(id);
    if (one) one.epoch = epoch;
  }
  return gone;
}

async function givePlace({ deps, held }: Context, id: string, epoch: number | undefined): Promise<void> {
  const { nodeId } = deps.storage.coordination;
  await deps.transact(async ({ tx }) => {
    const places = tx.collection(serverPlaceCollection);
    await tx.lock(placeLock(id));
    const stored = await places.get(id);
    // The server may have come back meanwhile, here or elsewhere.
    if (stored?.node !== nodeId || held.has(id) || (epoch !== undefined && stored.epoch !== epoch)) return;
    await places.delete(id);
    tx.publish(placeNews(id));
  });
}
