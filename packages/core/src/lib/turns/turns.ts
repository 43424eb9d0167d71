/** Runs one piece of work after another, even if one fails. */
export interface Turns {
  run<R>(work: () => Promise<R>): Promise<R>;
  /** Resolves when everything requested so far has ended. */
  idle(): Promise<void>;
}

export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(work) {
      const turn = last.then(work);
      last = turn.catch(() => undefined);
      return turn;
    },
    async idle() {
      await last;
    },
  };
}

/** Runs work of one key in turn; different keys do not wait for each other. */
export interface KeyedTurns {
  run<R>(key: string, work: () => Promise<R>): Promise<R>;
  /** Resolves when everything requested so far has ended. */
  idle(): Promise<void>;
  /** Number of keys with work in progress. */
  readonly size: number;
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
    get size() {
      return tails.size;
    },
  };
}
