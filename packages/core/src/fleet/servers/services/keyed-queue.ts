import { createKeyedTurns } from "../../../lib/turns/turns.ts";

/** Serialises tasks with the same key; tasks with different keys run concurrently. */
export interface KeyedQueue {
  /** Never rejects: a failing task is reported, and the next one runs. */
  run(key: string, task: () => Promise<void>): Promise<void>;
  /** Resolves when nothing is running. */
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
