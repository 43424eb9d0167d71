import { beside, killsOf } from "../kills.ts";
import type { Cluster } from "./nodes.ts";
import { SCHEDULES } from "./schedules.ts";

/** Callers that constantly read and write as users of any node. */
export interface Callers {
  /** Stops the callers; resolves to the errors of calls that failed despite retries. */
  stop(): Promise<readonly string[]>;
}

const COUNT = 3;
/** Few in `npm test`: at 30 ms their calls took more processor time than the schedules. */
const PAUSE_MS = beside(killsOf(30), 120, 30);
const TRIES = 5;
/** Milliseconds before a retry: a supervisor takes some time to notice that a node is gone. */
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
      // Calls can only change events of satellites: the nodes' code declares the events of functions.
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
