import { randomUUID } from "node:crypto";
import type { RunningServer } from "../program.ts";
import type { Approve } from "./approve.ts";
import { LAUNCHED } from "./kinds.ts";

/** Launches by the idempotency key of their request. A request whose answer was lost is repeated under the same key. */
export interface Ledger {
  /** Events to run, by the key of the unanswered request. */
  readonly unanswered: Map<string, string>;
  /** Ids of accepted jobs, by key. */
  readonly accepted: Map<string, string>;
  /** Requests repeated because the server died before answering. */
  repeated: number;
  /** Repetitions answered with another job than at first, and other anomalies. */
  readonly faults: string[];
}

export const createLedger = (): Ledger => ({ unanswered: new Map(), accepted: new Map(), repeated: 0, faults: [] });

interface Seen {
  readonly id?: string;
  readonly final?: boolean;
  readonly err?: string;
}

const LOOK_MS = 150;
/** A seat whose job waits in a line for longer than this takes another job. */
const PATIENCE_MS = 5000;

/** Keeps one job per seat going until the server is killed; rejects when the server fails by itself. */
export async function keepBusy(
  server: RunningServer,
  ledger: Ledger,
  { seats, approve }: { readonly seats: number; readonly approve: Approve },
): Promise<void> {
  const ended = watchEnds(server, approve);
  const guarded = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!(server.wasKilled() && isBrokenConnection(error))) throw error;
    }
  };
  const seat = async (): Promise<void> => {
    while (!server.wasKilled()) await ended.of(await launchNext(server, ledger));
  };
  await Promise.all([guarded(ended.run), ...Array.from({ length: seats }, () => guarded(seat))]);
}

/** Jobs requested before the last kill come first; the answer may have been lost, the job must not be. */
async function launchNext(server: RunningServer, ledger: Ledger): Promise<string> {
  const [lost] = ledger.unanswered;
  const [key, event] = lost ?? [randomUUID(), LAUNCHED[Math.floor(Math.random() * LAUNCHED.length)] ?? ""];
  if (lost) {
    ledger.unanswered.delete(key);
    ledger.repeated += 1;
  }
  try {
    const answer = await server.call("run_event", { id: event, idempotency_key: key });
    if (answer["code"] !== 0) throw new Error(`${event} was refused: ${JSON.stringify(answer)}`);
    const id = String(answer["id"]);
    ledger.accepted.set(key, id);
    return id;
  } catch (error) {
    if (isBrokenConnection(error)) ledger.unanswered.set(key, event);
    throw error;
  }
}

/** Polls all awaited jobs with one call. */
function watchEnds(server: RunningServer, approve: Approve) {
  const waiting = new Map<string, { readonly free: () => void; readonly until: number }>();
  const look = async (): Promise<void> => {
    const ids = [...waiting.keys()];
    if (ids.length === 0) return;
    const { jobs } = (await server.call("get_jobs", { ids })) as { jobs: readonly Seen[] };
    for (const [index, id] of ids.entries()) {
      const entry = waiting.get(id);
      if (!entry || !(jobs[index]?.final || performance.now() > entry.until)) continue;
      waiting.delete(id);
      entry.free();
    }
  };
  return {
    of: (id: string): Promise<void> =>
      new Promise((free) => waiting.set(id, { free, until: performance.now() + PATIENCE_MS })),
    async run(): Promise<void> {
      try {
        while (!server.wasKilled()) {
          await look();
          await approve(server);
          await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
        }
      } finally {
        for (const { free } of waiting.values()) free();
      }
    },
  };
}

/** True for the errors of `fetch` about a connection that was refused, reset or cut short. */
export const isBrokenConnection = (error: unknown): boolean =>
  error instanceof TypeError && /^(fetch failed|terminated)$/.test(error.message);
