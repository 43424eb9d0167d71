import { type Candidate, rest } from "./candidate.ts";
import type { Desk } from "./desk.ts";
import type { Tenure } from "./lease.ts";

const RENEW_MS = 2000;
/** A node that has not heard of its lease for so long does not lead: the lease may run out two seconds later. */
const SURE_MS = 8000;
/** Time between two requests for the offices of the release before. */
const RETRY_MS = 1000;

/** Holds the office until the term is over or given up. */
export async function serveTerm(candidate: Candidate, desk: Desk, term: number): Promise<void> {
  const { office, nodeId: node, leases, log, see, withdrawn } = candidate;
  const tenure: Tenure = { office, node, term };
  const ending = new AbortController();
  const lost = AbortSignal.any([ending.signal, withdrawn, desk.gone]);
  const renewing = renewLease(candidate, desk, { tenure, lost, end: () => ending.abort() });
  see(node);
  try {
    if (await takeFormer(candidate, desk, lost)) await hold(candidate, { tenure, lost, end: () => ending.abort() });
  } catch (error) {
    log.error({ office, error }, "The holder of an office failed");
  }
  ending.abort();
  see(undefined);
  await renewing;
  if (desk.gone.aborted) return;
  await leases.resign(desk.run, tenure);
  await desk.unlock();
  await candidate.tell(desk);
}

interface Serving {
  readonly tenure: Tenure;
  readonly lost: AbortSignal;
  end(): void;
}

/** A holder that returns keeps the office. */
async function hold({ fences, hold: work }: Candidate, { tenure, lost, end }: Serving): Promise<void> {
  await work({ lost, fenced: (round) => fences.run({ tenure, lose: end }, round) });
  await aborted(lost);
}

/**
 * Nodes of the release before lead as long as they hold one of their offices. False when the term ended before. Where a
 * lock means nothing, it meant nothing to them either.
 */
async function takeFormer({ office, formerly }: Candidate, desk: Desk, lost: AbortSignal): Promise<boolean> {
  for (let isFirst = true; !lost.aborted; isFirst = false) {
    // The term may have ended while the lock was asked for, and a holder that begins after it would wait for its end forever.
    if (!desk.canLock || (await desk.lock([office, ...formerly]))) return !lost.aborted;
    // The kernel keeps the connection of a process that stands still, and PostgreSQL its locks. Nodes of the release before
    // have no lock of the office itself.
    if (!isFirst) await desk.evict(office);
    await rest(RETRY_MS, lost);
  }
  return false;
}

/** Ends the term when the lease is another node's, or when nothing was heard of it for too long. Never rejects. */
async function renewLease({ leases, log }: Candidate, desk: Desk, { tenure, lost, end }: Serving): Promise<void> {
  let sure = setTimeout(end, SURE_MS);
  while (!lost.aborted) {
    await rest(RENEW_MS, lost);
    if (lost.aborted) break;
    const sent = performance.now();
    try {
      if (!(await leases.renew(desk.run, tenure))) end();
      clearTimeout(sure);
      sure = setTimeout(end, SURE_MS - (performance.now() - sent));
    } catch (error) {
      log.warn({ error, office: tenure.office }, "The lease of an office could not be renewed; trying again");
    }
  }
  clearTimeout(sure);
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
