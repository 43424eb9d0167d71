import type { RunningServer } from "../program.ts";
import { SUSPENDED } from "./kinds.ts";
import type { Arrival } from "./receivers.ts";

/** Resumes jobs that wait for approval. */
export type Approve = (server: RunningServer) => Promise<void>;

/** Answers for a job that has already resumed or ended: a kill lost the answer to an earlier approval. */
const GOES_ON = /^Job is not currently suspended|^Job not found or is no longer active/;

/** Approves each suspended job whose notice has arrived, and no other: a job whose notice is lost waits forever. */
export function createApproval(arrivals: readonly Arrival[]): Approve {
  const approved = new Set<string>();
  return async (server) => {
    for (const { job, effect } of arrivals) {
      if (effect !== SUSPENDED || approved.has(job)) continue;
      const { code, description } = await server.call("resume_job", { id: job });
      if (code !== 0 && !GOES_ON.test(String(description)))
        throw new Error(`${job} was not resumed: ${String(description)}`);
      approved.add(job);
    }
  };
}
