/** Runs tasks of one key one after another; tasks of different keys run side by side. */
export interface KeyedQueue {
  /** Never rejects: a failing task is reported and the next one runs. */
  run(key: string, task: () => Promise<void>): Promise<void>;
  /** Resolves when nothing runs any more. */
  idle(): Promise<void>;
}

export function createKeyedQueue(onError: (key: string, error: unknown) => void): KeyedQueue {
  const tails = new Map<string, Promise<void>>();
  return {
    run(key, task) {
      const before = tails.get(key) ?? Promise.resolve();
      const tail = before.then(task).catch((error: unknown) => onError(key, error));
      tails.set(key, tail);
      return tail.then(() => {
        if (tails.get(key) === tail) tails.delete(key);
      });
    },
    async idle() {
      while (tails.size > 0) {
        await Promise.all(tails.values());
        // Lets the last task take its own entry out.
        await Promise.resolve();
      }
    },
  };
}
