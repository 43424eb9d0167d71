/** Bounds the number of simultaneous processes of action plugins, so that many failing jobs do not start as many processes. */
export interface ActionTurns {
  /** Runs the work when a place is free; rejects when the signal aborts before. */
  inTurn<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

const MAX_RUNNING = 20;

export function createActionTurns(): ActionTurns {
  const waiting = new Set<() => void>();
  let running = 0;

  async function enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (running < MAX_RUNNING) {
      running += 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = (): void => {
      waiting.delete(resolve);
      reject(signal.reason);
    };
    waiting.add(resolve);
    signal.addEventListener("abort", leave, { once: true });
    await promise.finally(() => signal.removeEventListener("abort", leave));
  }

  /** The place goes to the action that waits for longest. */
  function leave(): void {
    const [next] = waiting;
    if (!next) {
      running -= 1;
      return;
    }
    waiting.delete(next);
    next();
  }

  return {
    async inTurn(signal, work) {
      await enter(signal);
      return await work().finally(leave);
    },
  };
}
