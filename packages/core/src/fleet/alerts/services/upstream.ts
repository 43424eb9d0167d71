import type { Cradle } from "../../../kernel/container.ts";
import type { ReadTx } from "../../../ports/storage.ts";
import { keyOfSubject } from "../rules/subjects.ts";

type Deps = Pick<Cradle, "checks" | "servers">;

const CHECK = "check:";
const keyOf = (id: string): string => keyOfSubject({ type: "check", id });
/** The network of the engine, on which its checks depend. */
const NETWORK = keyOf("_engine");

/**
 * Places that a place depends on: of a server the servers above it, of a check its server with those and the network of the
 * engine, and of both the checks of the servers above. Checks of one server do not hold each other.
 */
export async function upstreamOf(tx: ReadTx, { checks, servers }: Deps, place: string): Promise<Set<string>> {
  const isCheck = place.startsWith(CHECK);
  const own = isCheck ? checks.serverOf(place.slice(CHECK.length)) : place;
  const above = own === undefined ? new Set<string>() : await serversAbove(tx, servers, own);
  const ofChecks = checks.ofServers(above).map(keyOf);
  if (isCheck && own !== undefined) above.add(own);
  if (isCheck && place !== NETWORK) above.add(NETWORK);
  for (const key of ofChecks) above.add(key);
  return above;
}

/** Whether a place above has not been looked at since a moment, so that nobody knows yet how it is. */
export async function isPending(tx: ReadTx, { checks, servers }: Deps, place: string, since: number): Promise<boolean> {
  if (place === NETWORK) return false;
  if (place.startsWith(CHECK)) return checks.isRetried(tx, place.slice(CHECK.length));
  const record = await servers.hostRecord(tx, place);
  return !record || record.date < since;
}

/** All servers that a server depends on, directly or through others; servers that are gone are left out. */
async function serversAbove(tx: ReadTx, servers: Deps["servers"], id: string): Promise<Set<string>> {
  const above = new Set<string>();
  for (let next = [id]; next.length > 0; ) {
    const found = await Promise.all(next.map((each) => servers.find(tx, each)));
    const known = found.flatMap((server) => server ?? []);
    for (const server of known) above.add(server.id);
    next = [...new Set(known.flatMap(({ depends_on }) => depends_on ?? []))].filter((each) => !above.has(each));
  }
  above.delete(id);
  return above;
}
