import { type Candidate, type Hold, type OfficesDeps, rest } from "./candidate.ts";
import { type Desk, openDesk } from "./desk.ts";
import type { Lease } from "./lease.ts";
import { serveTerm } from "./term.ts";

/** Milliseconds between two looks at the lease by a node that does not lead; jittered, so that not all nodes look at once. */
const LOOK_MS = 1000;
/** Milliseconds without a renewal, while the holder's lock is free, after which the holder's process counts as gone. */
const GONE_MS = 3000;
/** Milliseconds to pause after a lost connection. */
const SHORT_PAUSE_MS = 50;

export interface Offices {
  lead(office: string, hold: Hold, formerly?: readonly string[]): Disposable;
  /** The node that leads, as this node last saw it. */
  leaderOf(office: string): string | undefined;
  /** An office may be free: makes candidates look at once. */
  wake(): void;
  stop(): Promise<void>;
}

/**
 * Leadership by a lease with a number for each term. The lock of a connection only shows that a process is gone, sooner than the
 * lease does.
 */
export function createOffices(deps: OfficesDeps): Offices {
  const stopping = new AbortController();
  const standing = new Set<Promise<void>>();
  const leaders = new Map<string, string | undefined>();
  let nudge = new AbortController();
  return {
    lead(office, hold, formerly = []) {
      const own = new AbortController();
      const withdrawn = AbortSignal.any([own.signal, stopping.signal]);
      const see = (node: string | undefined): void => void leaders.set(office, node);
      const stands = stand({ ...deps, office, hold, formerly, see, withdrawn }, () => nudge.signal);
      standing.add(stands);
      void stands.finally(() => standing.delete(stands));
      return { [Symbol.dispose]: () => own.abort() };
    },
    leaderOf: (office) => leaders.get(office),
    wake() {
      nudge.abort();
      nudge = new AbortController();
    },
    async stop() {
      stopping.abort();
      await Promise.all(standing);
    },
  };
}

/** Stands for an office, term after term; never rejects. */
async function stand(candidate: Candidate, nudged: () => AbortSignal): Promise<void> {
  const { withdrawn, log } = candidate;
  while (!withdrawn.aborted) {
    try {
      await using desk = await openDesk(candidate);
      await standAt(candidate, desk, nudged);
    } catch (error) {
      log.warn({ error }, "Cannot stand for office; trying again");
      await rest(LOOK_MS, withdrawn);
    }
    await rest(SHORT_PAUSE_MS, withdrawn);
  }
}

async function standAt(candidate: Candidate, desk: Desk, nudged: () => AbortSignal): Promise<void> {
  const { withdrawn } = candidate;
  const elect = createElection(candidate, desk);
  while (!withdrawn.aborted && !desk.gone.aborted) {
    // Taken before the election, so that a wake-up during it counts as well.
    const nudge = nudged();
    const term = await elect();
    if (term !== undefined) await serveTerm(candidate, desk, term);
    await rest(LOOK_MS * (0.75 + Math.random() / 2), AbortSignal.any([withdrawn, desk.gone, nudge]));
  }
}

interface Sight {
  readonly lease: Lease;
  /** Milliseconds of this process's monotonic clock. */
  readonly since: number;
}

/** Makes the function that reads the lease and takes it when allowed; it resolves to the new term. */
function createElection(
  { leases, office, nodeId: node, see }: Candidate,
  desk: Desk,
): () => Promise<number | undefined> {
  let seen: Sight | undefined;
  return async () => {
    const lease = await leases.look(desk.run, office);
    see(lease?.isOver ? undefined : lease?.node);
    if (!lease || lease.isOver || lease.node === node) return leases.take(desk.run, { office, node });
    if (seen?.lease.mark !== lease.mark) seen = { lease, since: performance.now() };
    if (performance.now() - seen.since < GONE_MS || !(await desk.lock([office]))) return undefined;
    const term = await leases.take(desk.run, { office, node, orphan: lease });
    if (term === undefined) await desk.unlock();
    return term;
  };
}
