import type { RunningServer } from "../program.ts";
import type { Ledger } from "./ledger.ts";
import { LONG_JOB, LONG_JOB_SEC } from "./load.ts";

interface SeenJob {
  readonly id?: string;
  readonly err?: string;
  readonly final?: boolean;
  readonly code?: number | string;
  readonly description?: string;
  readonly elapsed?: number;
  readonly event?: string;
}

/** Every accepted job exists, and a job that was seen to end keeps that outcome. */
export async function compareJobs(server: RunningServer, ledger: Ledger): Promise<string[]> {
  const faults: string[] = [];
  for (const [id, job] of await readJobs(server, ledger)) {
    const fault = faultOf(job, ledger.jobs.get(id));
    if (fault) faults.push(`job ${id}: ${fault}`);
    if (job.final) ledger.jobs.set(id, endOf(job));
  }
  return faults;
}

function faultOf(job: SeenJob, ended: string | undefined): string | undefined {
  if (job.err) return job.err;
  if (ended !== undefined && !job.final) return "ended, and running again";
  if (ended !== undefined && ended !== endOf(job)) return `ended twice: ${ended}, then ${endOf(job)}`;
  // A job accepted but not started before the kill is started by the next server and runs for its whole time.
  if (job.event === LONG_JOB && job.code === 0 && (job.elapsed ?? 0) < LONG_JOB_SEC)
    return `success after ${job.elapsed} s, before its work was done`;
  return undefined;
}

const endOf = ({ code, description }: SeenJob): string => `${String(code)} ${description ?? ""}`.trim();

async function readJobs(server: RunningServer, ledger: Ledger): Promise<[string, SeenJob][]> {
  const ids = [...ledger.jobs.keys()];
  if (ids.length === 0) return [];
  const { jobs } = (await server.call("get_jobs", { ids })) as { jobs: SeenJob[] };
  return ids.map((id, index) => [id, jobs[index] ?? { err: "not in the answer" }]);
}

export interface JobsReport {
  /** Number of jobs by their outcome. */
  readonly ends: Readonly<Record<string, number>>;
  /** Jobs that had not ended at the timeout. */
  readonly open: readonly string[];
}

/** Waits until every accepted job has ended by itself; nobody aborts any. */
export async function waitForEnds(server: RunningServer, ledger: Ledger, timeoutMs: number): Promise<JobsReport> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const jobs = await readJobs(server, ledger);
    const open = jobs.filter(([, job]) => !job.final).map(([id]) => id);
    if (open.length === 0 || performance.now() > deadline) return { ends: countEnds(jobs), open };
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

function countEnds(jobs: readonly [string, SeenJob][]): Record<string, number> {
  const ends: Record<string, number> = {};
  for (const [, job] of jobs)
    if (job.final) {
      const end = `${job.event}: ${endOf(job)}`;
      ends[end] = (ends[end] ?? 0) + 1;
    }
  return ends;
}
