import type { Cradle } from "../../../kernel/container.ts";
import { DomainError, type DomainReason } from "../../../kernel/errors/errors.ts";
import { pause } from "../../../kernel/running/loops.ts";
import type { JobDesk } from "../lifecycle/job-desk.ts";
import type { FinalJob } from "../model.ts";

/** Waits for the end of jobs (docs/contract/events.md#running, `/wait`). */
export interface FinalWatch {
  /** Resolves with the final record; throws `DomainError` when the engine stops or `signal` aborts first. */
  wait(id: string, signal: AbortSignal): Promise<FinalJob>;
  /**
   * Throws `DomainError` when no more callers may wait. Checked before a launch, because a caller that is refused afterwards
   * would launch again.
   */
  requireRoom(): void;
}

/** Most waiting callers, each of which holds a connection of the host. */
const MAX_WAITING = 1000;
/** Polling interval, to notice jobs that end on another node. */
const LOOK_MS = 1000;

const failed = (reason: string, why: DomainReason = "failed"): DomainError =>
  new DomainError("event", why, `Failed to wait for job: ${reason}`);

interface Watched extends Pick<Cradle, "clock" | "events"> {
  readonly desk: JobDesk;
  readonly stopping: AbortSignal;
}

async function untilFinal(
  { clock, events, desk, stopping }: Watched,
  id: string,
  signal: AbortSignal,
): Promise<FinalJob> {
  let end = new AbortController();
  const listener = (ended: { id: string }): void => {
    if (ended.id === id) end.abort();
  };
  events.on("job.completed", listener);
  try {
    while (!signal.aborted) {
      // Listens before it reads: an end between the two would otherwise be noticed only after a whole pause.
      end = new AbortController();
      if (!(await desk.read(id))) {
        const final = await desk.final(id);
        if (final) return final;
        throw failed("The job is gone.", "unknown");
      }
      await pause(clock, LOOK_MS, AbortSignal.any([signal, end.signal]));
    }
  } finally {
    events.off("job.completed", listener);
  }
  throw failed(stopping.aborted ? "The engine is stopping." : "The caller has left.");
}

export function createFinalWatch(
  { clock, events }: Pick<Cradle, "clock" | "events">,
  { desk, stopping }: Pick<Watched, "desk" | "stopping">,
): FinalWatch {
  const watched: Watched = { clock, events, desk, stopping };
  let waiting = 0;
  const requireRoom = (): void => {
    if (waiting >= MAX_WAITING) throw failed("Too many callers are waiting.", "conflict");
  };
  return {
    requireRoom,
    async wait(id, signal) {
      requireRoom();
      waiting++;
      try {
        return await untilFinal(watched, id, AbortSignal.any([signal, stopping]));
      } finally {
        waiting--;
      }
    },
  };
}
