import type { Cradle } from "../../../../kernel/container.ts";
import { chainFault } from "../../../../lib/dependency-chain.ts";
import type { ReadTx } from "../../../../ports/storage/storage.ts";
import { checkIn, keyOfSubject } from "../../rules/definition/subjects.ts";
import { isUnseen } from "../../rules/telling/holds.ts";

type Deps = Pick<Cradle, "checks" | "servers">;
type Timed = Deps & Pick<Cradle, "clock">;

/** Places, each with the places that it depends on directly. */
type Parents = ReadonlyMap<string, readonly string[]>;

/** Key of the engine's network, on which checks by the engine depend. */
export const NETWORK = keyOfSubject({ type: "check", id: "_engine" });

/**
 * Places that a place depends on, directly or transitively. A server depends on its `depends_on`, a check on its
 * server, and checks by the engine on its network. Checks of an upstream server count as that server. Checks of one
 * server do not hold each other back.
 */
export async function upstreamOf(tx: ReadTx, deps: Deps, place: string): Promise<Set<string>> {
  const known = await parentsAbove(tx, deps, place);
  const above = new Set(known.keys());
  if ([...above].some((each) => deps.checks.isAskedHere(checkIn(each) ?? ""))) above.add(NETWORK);
  const own = known.get(place) ?? [];
  above.delete(place);
  const isCheck = checkIn(place) !== undefined;
  const servers = [...above].filter((each) => checkIn(each) === undefined && !(isCheck && own.includes(each)));
  for (const id of deps.checks.ofServers(new Set(servers))) above.add(keyOfSubject({ type: "check", id }));
  above.delete(place);
  return above;
}

/**
 * True while the state of an upstream place is unknown: it has not been evaluated since a moment, or it fell silent.
 */
export async function isPending(tx: ReadTx, deps: Timed, place: string, since: number): Promise<boolean> {
  const check = checkIn(place);
  if (check !== undefined) return deps.checks.isPending(tx, check, since);
  return isUnseen(await deps.servers.lastMinuteAt(tx, place), { since, now: deps.clock.now() });
}

/** The sentence with which a place's parents are refused; undefined = they form no cycle and are not too deep. */
export async function dependencyFault(
  tx: ReadTx,
  deps: Deps,
  { place, parents }: { readonly place: string; readonly parents: readonly string[] },
): Promise<string | undefined> {
  const known = await parentsAbove(tx, deps, place, parents);
  return chainFault(place, (each) => known.get(each) ?? []);
}

/** A place and everything upstream of it; deleted places are left out. */
async function parentsAbove(tx: ReadTx, deps: Deps, place: string, own?: readonly string[]): Promise<Parents> {
  const known = new Map<string, readonly string[]>();
  for (let level = [place]; level.length > 0; ) {
    const found = await Promise.all(level.map((each) => (each === place && own ? own : parentsOf(tx, deps, each))));
    for (const [at, parents] of found.entries()) if (parents) known.set(level[at] ?? "", parents);
    level = [...new Set(found.flatMap((parents) => parents ?? []))].filter((each) => !known.has(each));
  }
  return known;
}

/** Undefined = there is no such place. */
async function parentsOf(tx: ReadTx, { checks, servers }: Deps, place: string): Promise<readonly string[] | undefined> {
  const check = checkIn(place);
  if (check === undefined) {
    const server = await servers.find(tx, place);
    return server && (server.depends_on ?? []);
  }
  return checks.parentsOf(check);
}
