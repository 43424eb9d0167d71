import type { Cluster } from "./nodes.ts";
import { SCHEDULES } from "./schedules.ts";

/** Callers that read and write all the time, as users of any of the nodes. */
export interface Callers {
  /** Ends the callers; the errors of calls that failed in spite of repetitions. */
  stop(): Promise<readonly string[]>;
}

const COUNT = 3;
const PAUSE_MS = 30;
const TRIES = 5;
/** A supervisor takes some time to see that a node is gone. */
const RETRY_MS = 200;

export function startCallers(cluster: Cluster): Callers {
  const faults: string[] = [];
  let isStopped = false;
  const call = async (operation: string, body: object): Promise<void> => {
    let last = "There is no node";
    for (let tried = 0; tried < TRIES; tried++) {
      const node = cluster.nodes[Math.floor(Math.random() * cluster.nodes.length)];
      try {
        await node?.call(operation, body);
        if (node) return;
      } catch (error) {
        last = String(error);
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
    faults.push(`${operation} failed ${TRIES} times: ${last}`);
  };
  const run = async (caller: number): Promise<void> => {
    for (let round = 0; !isStopped; round++) {
      await call("get_active_jobs", { limit: 10 });
      // Only events of satellites can be changed by a call: events of functions are declared by the code of the nodes.
      await call("update_event", { id: SCHEDULES[2 * caller + 1]?.id, notes: `Round ${round}` });
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  };
  const running = Promise.all(Array.from({ length: COUNT }, (_, caller) => run(caller)));
  return {
    async stop() {
      isStopped = true;
      await running;
      return faults;
    },
  };
}
