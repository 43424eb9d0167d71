import type { RunningServer } from "../program.ts";
import { SUSPENDED } from "./kinds.ts";
import type { Arrival } from "./receivers.ts";

/** Lets jobs go on that wait for a word. */
export type Approve = (server: RunningServer) => Promise<void>;

/** Answers of a job that goes on already, or is over: the answer to an earlier word was lost in a kill. */
const GOES_ON = /^Job is not currently suspended|^Job not found or is no longer active/;

/**
 * Gives the word for each suspended job of which a notice has arrived, and for no other: a job whose notice is lost waits for
 * ever.
 */
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
