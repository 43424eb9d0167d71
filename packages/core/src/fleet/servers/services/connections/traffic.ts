import type { Cradle } from "../../../../kernel/container.ts";
import { isObject } from "../../../../lib/json/is-object.ts";
import type { AgentMessage } from "../../../../ports/agents/agent-transport.ts";
import { mergeWaiting } from "../../rules/merge-waiting.ts";
import type { Connection } from "./connection.ts";

/**
 * Throttles messages of servers to five `jobs` and five `quickmon` messages a second
 * (docs/contract/satellites.md#bounds).
 */
export interface Traffic {
  /** Passes a message on, or merges it into one that goes out in the next second. */
  received(connection: Connection, message: AgentMessage): void;
  /** Passes the held messages on. */
  flush(connection: Connection): void;
}

/** Messages of one server in the current second. */
export interface Burst {
  /** Whole seconds of the monotonic clock. */
  second: number;
  readonly passed: Record<Merged, number>;
  readonly held: Held;
}

interface Held {
  /** Held updates of jobs by job id; later ones are merged into earlier ones. */
  jobs?: Map<string, unknown>;
  quickmon?: AgentMessage;
}

type Merged = "jobs" | "quickmon";

const PER_SECOND = 5;
/** Most jobs in one held message; further ones are dropped. */
const MAX_JOBS = 10_000;

export const newBurst = (): Burst => ({ second: 0, passed: { jobs: 0, quickmon: 0 }, held: {} });

export function createTraffic(
  { clock }: Pick<Cradle, "clock">,
  pass: (connection: Connection, message: AgentMessage) => void,
): Traffic {
  const flush: Traffic["flush"] = (connection) => {
    const { held } = connection.burst;
    const { jobs, quickmon } = held;
    delete held.jobs;
    delete held.quickmon;
    if (jobs) pass(connection, { cmd: "jobs", data: Object.fromEntries(jobs) });
    if (quickmon) pass(connection, quickmon);
  };
  const startSecond = (connection: Connection): void => {
    const { burst } = connection;
    const second = Math.floor(clock.monotonicMs() / 1000);
    if (burst.second === second) return;
    burst.second = second;
    Object.assign(burst.passed, { jobs: 0, quickmon: 0 });
    flush(connection);
  };
  return {
    flush,
    received(connection, message) {
      const { burst, link } = connection;
      const { cmd } = message;
      // An agent in this process is not throttled.
      if (link.trusted || (cmd !== "jobs" && cmd !== "quickmon")) return pass(connection, message);
      startSecond(connection);
      burst.passed[cmd] += 1;
      if (burst.passed[cmd] <= PER_SECOND) pass(connection, message);
      else if (cmd === "quickmon") burst.held.quickmon = message;
      else holdJobs(burst.held, message.data);
    },
  };
}

/** Merges an update of jobs into the held ones: later values win, and pushed rows are kept. */
function holdJobs(held: Held, data: unknown): void {
  if (!isObject(data)) return;
  held.jobs ??= new Map();
  for (const [id, update] of Object.entries(data))
    if (held.jobs.has(id)) held.jobs.set(id, mergeWaiting(held.jobs.get(id), update));
    else if (held.jobs.size < MAX_JOBS) held.jobs.set(id, update);
}
