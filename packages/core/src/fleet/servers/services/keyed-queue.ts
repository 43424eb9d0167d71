import { createKeyedTurns } from "../../../lib/turns/turns.ts";

/** Runs tasks of one key one after another; tasks of different keys run side by side. */
export interface KeyedQueue {
  /** Never rejects: a failing task is reported and the next one runs. */
  run(key: string, task: () => Promise<void>): Promise<void>;
  /** Resolves when nothing runs any more. */
  idle(): Promise<void>;
}

export function createKeyedQueue(onError: (key: string, error: unknown) => void): KeyedQueue {
  const turns = createKeyedTurns();
  return {
    run: (key, task) => turns.run(key, task).catch((error: unknown) => onError(key, error)),
    async idle() {
      while (turns.size > 0) await turns.idle();
    },
  };
}
