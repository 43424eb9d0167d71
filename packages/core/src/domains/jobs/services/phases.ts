import type { Cradle } from "../../../kernel/container.ts";
import type { Action, ActiveJob } from "../model.ts";
import type { Completion } from "./completion.ts";
import { hookDataOf } from "./hook-context.ts";
import type { JobDesk } from "./job-desk.ts";
import type { JobMonitor } from "./monitor.ts";

/** Runs the actions of jobs beside everything else, so that a slow target holds up nobody. */
export interface Phases {
  isRunning(id: string): boolean;
  /** Starts what the job's state calls for; the monitor is told when all have ended. */
  run(record: ActiveJob): void;
  /** Keeps the claims on running phases alive. */
  renew(): Promise<void>;
  /** Waits for a moment, then lets go of what still runs: it runs again after the next start. */
  stop(): Promise<void>;
  idle(): Promise<void>;
}

export interface PhaseTools {
  readonly desk: JobDesk;
  readonly completion: Completion;
  readonly monitor: () => JobMonitor;
}

/** Phases at once; the others wait for the next look at their jobs. */
const MAX_RUNNING = 500;
const CLAIM_SEC = 60;
const RENEW_BEFORE_SEC = 30;
const STOP_MS = 5000;

export function createPhases(cradle: Cradle, { desk, completion, monitor }: PhaseTools): Phases {
  const { clock, log, storage } = cradle;
  const running = new Map<string, { claimedUntil: number; done: Promise<void> }>();
  const stopping = new AbortController();
  const { nodeId: node, shared } = storage.coordination;

  /** Other nodes leave a claimed phase alone; a single node needs no claim. */
  async function claim(id: string): Promise<boolean> {
    if (!shared) return true;
    const until = clock.now() + CLAIM_SEC;
    const claimed = await desk.change(id, (_unit, record) => {
      const isTaken = record.claim && record.claim.node !== node && record.claim.until > clock.now();
      return isTaken ? undefined : { ...record, claim: { node, until } };
    });
    const entry = running.get(id);
    if (entry && claimed) entry.claimedUntil = until;
    return claimed !== undefined;
  }

  async function perform(id: string): Promise<boolean> {
    if (!(await claim(id))) return false;
    const record = await desk.read(id);
    if (!record) return false;
    const placed = completion.pending(record);
    await cradle.actionRunner.run({
      side: "job",
      actions: placed.map(({ action }) => action),
      places: placed.map(({ index }) => index),
      data: hookDataOf(cradle, record),
      key: id,
      signal: stopping.signal,
      onResult: (index, result) => storeResult(id, placed[index]?.index ?? index, result),
    });
    return true;
  }

  async function storeResult(id: string, place: number, result: Action): Promise<void> {
    // What ends because the engine stops has no result: it runs again.
    if (stopping.signal.aborted) return;
    await desk.change(id, (_unit, record) => {
      const actions = record.job.actions ?? [];
      if (place >= actions.length) return undefined;
      return { ...record, job: { ...record.job, actions: actions.with(place, result) } };
    });
  }

  async function runAll(id: string): Promise<void> {
    let isDone = false;
    try {
      isDone = await perform(id);
    } catch (error) {
      log.error({ job: id, error }, "The actions of a job could not be run; they are tried again");
    } finally {
      running.delete(id);
    }
    if (isDone && !stopping.signal.aborted) await goOn(id);
  }

  async function goOn(id: string): Promise<void> {
    try {
      await monitor().tell(id, undefined);
    } catch (error) {
      log.error({ job: id, error }, "A job could not be moved on; it is tried again");
    }
  }

  return {
    isRunning: (id) => running.has(id),
    run({ id }) {
      if (running.has(id) || running.size >= MAX_RUNNING || stopping.signal.aborted) return;
      // Begins in a turn of its own, when the entry exists.
      const done = Promise.resolve().then(() => runAll(id));
      running.set(id, { claimedUntil: 0, done });
    },
    async renew() {
      if (!shared) return;
      for (const [id, { claimedUntil }] of running)
        if (claimedUntil > 0 && claimedUntil - clock.now() < RENEW_BEFORE_SEC) await claim(id);
    },
    async stop() {
      const all = Promise.allSettled(Array.from(running.values(), ({ done }) => done));
      let timer: Disposable | undefined;
      const late = new Promise<void>((resolve) => {
        timer = clock.after(STOP_MS, resolve);
      });
      await Promise.race([all, late]);
      timer?.[Symbol.dispose]();
      stopping.abort();
    },
    async idle() {
      while (running.size > 0) await Promise.allSettled(Array.from(running.values(), ({ done }) => done));
    },
  };
}
