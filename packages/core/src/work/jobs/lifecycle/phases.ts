import type { KeyedCradle } from "../../../kernel/container.ts";
import type { Action } from "../../../wire/entries/actions-and-limits.ts";
import { hookDataOf } from "../actions/hook-context.ts";
import { settledHolder } from "../actions/suspension.ts";
import type { Completion } from "../finish/completion.ts";
import { timeLimit } from "../limits/time-limit.ts";
import type { ActiveJob } from "../model.ts";
import type { JobDesk } from "./job-desk.ts";
import type { JobMonitor } from "./monitor.ts";

/** Runs the actions of jobs in the background, so that a slow target delays nothing else. */
export interface Phases {
  isRunning(id: string): boolean;
  /** Starts the actions of the job's current phase; tells the monitor when all have ended. */
  run(record: ActiveJob): void;
  /** Keeps the claims on running phases alive. */
  renew(): Promise<void>;
  /** Waits for a moment, then abandons actions that are still running: they run again after the next start. */
  stop(): Promise<void>;
}

export interface PhaseTools {
  readonly desk: JobDesk;
  readonly completion: Completion;
  readonly monitor: () => JobMonitor;
}

/** Most concurrent phases; the others wait for the next check of their jobs. */
const MAX_RUNNING = 500;
/** Roughly the time in which a dead node is noticed; then the phases that it had begun start again. */
const CLAIM_SEC = 20;
const RENEW_BEFORE_SEC = 10;
const STOP_MS = 5000;

interface Running {
  claimedUntil: number;
  readonly done: Promise<void>;
}

type Deps = Pick<
  KeyedCradle,
  | ("actionRunner" | "clock" | "config" | "definitions" | "eventRecords" | "expressions" | "log" | "nodes")
  | ("secretKey" | "servers" | "snapshot" | "storage")
>;

interface Context extends PhaseTools {
  readonly deps: Deps;
  readonly running: Map<string, Running>;
  readonly stopping: AbortController;
}

export function createPhases(deps: Deps, tools: PhaseTools): Phases {
  const { clock, nodes, storage } = deps;
  const running = new Map<string, Running>();
  const stopping = new AbortController();
  const context: Context = { ...tools, deps, running, stopping };
  const isClaimDue = ({ claimedUntil }: Running): boolean =>
    claimedUntil > 0 && claimedUntil - nodes.nowMs() / 1000 < RENEW_BEFORE_SEC;
  return {
    isRunning: (id) => running.has(id),
    run({ id }) {
      if (running.has(id) || running.size >= MAX_RUNNING || stopping.signal.aborted) return;
      // Begins in a later microtask, when the entry exists.
      const done = Promise.resolve().then(() => runAll(context, id));
      running.set(id, { claimedUntil: 0, done });
    },
    async renew() {
      if (!storage.coordination.shared) return;
      for (const [id, entry] of running) if (isClaimDue(entry)) await claim(context, id);
    },
    async stop() {
      using limit = timeLimit(clock, STOP_MS);
      const all = Promise.allSettled(Array.from(running.values(), ({ done }) => done));
      await Promise.race([all, limit.expired]);
      stopping.abort();
    },
  };
}

async function runAll(context: Context, id: string): Promise<void> {
  const { deps, monitor, running, stopping } = context;
  let isDone = false;
  try {
    isDone = await perform(context, id);
  } catch (error) {
    // The stop of the engine interrupts waiting or hanging actions. That is no error: the next start runs them again.
    const level = stopping.signal.aborted ? "info" : "error";
    deps.log[level]({ job: id, error }, "The actions of a job could not be run; they are tried again");
  } finally {
    running.delete(id);
  }
  if (!isDone || stopping.signal.aborted) return;
  try {
    await monitor().tell(id, undefined);
  } catch (error) {
    deps.log.error({ job: id, error }, "A job could not be moved on; it is tried again");
  }
}

/** False when another node runs the phase or the job is gone. */
async function perform(context: Context, id: string): Promise<boolean> {
  const { deps, desk, completion, stopping } = context;
  if (!(await claim(context, id))) return false;
  const record = await desk.read(id);
  if (!record) return false;
  const placed = completion.pending(record);
  await deps.actionRunner.run({
    side: "job",
    actions: placed.map(({ action }) => action),
    places: placed.map(({ index }) => index),
    data: await hookDataOf(deps, record),
    key: id,
    reach: record.reach,
    signal: stopping.signal,
    onResult: async (index, result) => {
      const place = placed[index]?.index;
      // An action that ends because the engine stops gets no result, so it runs again.
      if (place !== undefined && !stopping.signal.aborted) await storeResult(desk, id, { place, result });
    },
  });
  return true;
}

/** Claims the phase, which other nodes then leave alone. A single node needs no claim. */
async function claim({ deps, desk, running }: Context, id: string): Promise<boolean> {
  const { nodeId: node, shared } = deps.storage.coordination;
  if (!shared) return true;
  const now = deps.nodes.nowMs() / 1000;
  const until = now + CLAIM_SEC;
  const claimed = await desk.change(id, (_unit, record) => {
    const isTaken = record.claim && record.claim.node !== node && record.claim.until > now;
    return isTaken ? undefined : { ...record, claim: { node, until } };
  });
  const entry = running.get(id);
  if (entry && claimed) entry.claimedUntil = until;
  return claimed !== undefined;
}

interface Result {
  readonly place: number;
  readonly result: Action;
}

async function storeResult(desk: JobDesk, id: string, { place, result }: Result): Promise<void> {
  await desk.change(id, (unit, record) => {
    const actions = record.job.actions ?? [];
    if (place >= actions.length) return undefined;
    unit.emit("job.updated", { id });
    const settled = result.type === "suspend" ? settledHolder(record, actions[place], result) : result;
    return { ...record, job: { ...record.job, actions: actions.with(place, settled) } };
  });
}
