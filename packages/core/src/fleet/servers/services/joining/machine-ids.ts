import type { Cradle } from "../../../../kernel/container.ts";
import { pause } from "../../../../kernel/running/loops.ts";
import { answers } from "../../../nodes/answers.ts";
import { serverCollection } from "../../collection.ts";
import { normaliseHostname } from "../../rules/joining/hello.ts";
import { idOfHostname, mayJoinAs } from "../../rules/joining/machine-id.ts";

/**
 * Finds the id under which the machine of this process joins. Machines that share a database must not share an id: jobs
 * for one would run on either, and their readings would mix.
 */
export type MachineId = (wanted: string, hostname: string) => Promise<string>;

type Deps = Pick<Cradle, "bus" | "clock" | "jobs" | "log" | "nodes" | "registry" | "snapshot" | "storage">;

const MAX_NAMESAKES = 20;
const AGAIN_MS = 500;

/** Reads jobs from the cradle only when they are needed. */
export function createMachineId(deps: Deps): MachineId {
  const { log, registry, storage } = deps;
  const isLater = (): boolean => startedLater(deps);
  const mayTake = async (id: string, hostname: string): Promise<boolean> => {
    const { known, own, node } = await stored(deps, id, hostname);
    const isHeld = node !== undefined && known !== hostname && (await lives(deps, node));
    return mayJoinAs({ id, hostname, known, isHeld, hasOwn: own === hostname, isLater: isLater() });
  };
  return async (wanted, name) => {
    const hostname = normaliseHostname(name);
    // Functions of the host can run in any of its processes, which therefore form one server on purpose.
    if (!storage.coordination.shared || registry.hostEvents.size > 0 || (await mayTake(wanted, hostname)))
      return wanted;
    for (let nth = 1; nth <= MAX_NAMESAKES; nth++) {
      const id = idOfHostname(hostname, nth);
      if (!(await mayTake(id, hostname))) continue;
      log.warn({ wanted, server: id }, "Another machine has the id of this one, which joins under its own name");
      return id;
    }
    throw new Error(`No id is free for the machine ${hostname}: give it one of its own`);
  };
}

const stored = ({ jobs, snapshot }: Deps, id: string, hostname: string) =>
  snapshot(async (tx) => {
    const servers = tx.collection(serverCollection);
    const [known, own, node] = await Promise.all([
      servers.get(id),
      servers.get(idOfHostname(hostname, 1)),
      jobs.places.findNode(tx, id),
    ]);
    return { known: known?.hostname, own: own?.hostname, node };
  });

/**
 * True when a node is alive. A node that was just killed still has a row until it counts as silent, and a busy one
 * answers late, so it is asked repeatedly.
 */
async function lives({ bus, clock, nodes }: Deps, node: string): Promise<boolean> {
  while (nodes.find(node)) {
    if (await answers({ bus }, node)) return true;
    await pause(clock, AGAIN_MS);
  }
  return false;
}

function startedLater({ nodes }: Deps): boolean {
  const [own, ...others] = nodes.live();
  return others.some(
    ({ host, id, started }) =>
      own && host !== own.host && (started < own.started || (started === own.started && id < own.id)),
  );
}
