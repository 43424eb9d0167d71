import type { Cradle } from "../../../../kernel/container.ts";
import { nextTurn } from "../../../../lib/turns/gather-more.ts";
import type { Steps } from "./steps.ts";

/** Advances runs. The steps of one run are serialised, because concurrent ones would wait for each other's lock. */
export interface Mover {
  /**
   * Must be called after something that happened to a run has been committed. Resolves when it has been processed, and never
   * rejects. If a call is lost with the process, the tick catches up.
   */
  move(id: string): Promise<void>;
  /** Starts no further step and waits for the steps in progress. */
  stop(): Promise<void>;
}

export function createMover({ log }: Pick<Cradle, "log">, { step }: Pick<Steps, "step">): Mover {
  const moving = new Map<string, Promise<void>>();
  const again = new Set<string>();
  let isStopped = false;
  const run = async (id: string): Promise<void> => {
    do {
      again.delete(id);
      await nextTurn();
      await step(id).catch((error: unknown) =>
        log.error({ job: id, error }, "A workflow could not be moved on; it is tried again"),
      );
    } while (again.has(id) && !isStopped);
    moving.delete(id);
    again.delete(id);
  };
  return {
    async move(id) {
      if (isStopped) return;
      if (moving.has(id)) again.add(id);
      else moving.set(id, run(id));
      return moving.get(id);
    },
    async stop() {
      isStopped = true;
      await Promise.all(moving.values());
    },
  };
}
