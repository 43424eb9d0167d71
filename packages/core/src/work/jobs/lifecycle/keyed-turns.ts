/** Runs what belongs to one key in turn; different keys do not wait for each other. */
export interface KeyedTurns {
  run<R>(key: string, work: () => Promise<R>): Promise<R>;
  /** Resolves when everything that was asked for so far has ended. */
  idle(): Promise<void>;
}

export function createKeyedTurns(): KeyedTurns {
  const tails = new Map<string, Promise<unknown>>();
  return {
    run(key, work) {
      const turn = (tails.get(key) ?? Promise.resolve()).then(work);
      const tail = turn
        .catch(() => undefined)
        .finally(() => {
          if (tails.get(key) === tail) tails.delete(key);
        });
      tails.set(key, tail);
      return turn;
    },
    async idle() {
      await Promise.all([...tails.values()]);
    },
  };
}
