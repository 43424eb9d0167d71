import { type Candidate, rest } from "./candidate.ts";
import type { Desk } from "./desk.ts";
import type { Tenure } from "./lease.ts";

const RENEW_MS = 2000;
/** Milliseconds without news of its lease after which a node stops leading: the lease may expire two seconds later. */
const SURE_MS = 8000;
/** Milliseconds between two attempts to take the offices of the previous release. */
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

/** A holder whose `work` returns keeps the office. */
async function hold({ fences, hold: work }: Candidate, { tenure, lost, end }: Serving): Promise<void> {
  await work({ lost, fenced: (round) => fences.run({ tenure, lose: end }, round) });
  await aborted(lost);
}

/**
 * Takes the offices of the previous release, whose nodes lead as long as they hold one of them. False when the term ended first.
 * Where session locks mean nothing, they meant nothing to those nodes either.
 */
async function takeFormer({ office, formerly }: Candidate, desk: Desk, lost: AbortSignal): Promise<boolean> {
  for (let isFirst = true; !lost.aborted; isFirst = false) {
    // The term may have ended during the request for the lock; a holder that begins after that would wait for its end forever.
    if (!desk.canLock || (await desk.lock([office, ...formerly]))) return !lost.aborted;
    // For a stalled process, the kernel keeps its connection and PostgreSQL its locks. Nodes of the previous release hold no lock
    // on the office itself.
    if (!isFirst) await desk.evict(office);
    await rest(RETRY_MS, lost);
  }
  return false;
}

/** Ends the term when another node has the lease, or when nothing was heard of it for too long. Never rejects. */
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
