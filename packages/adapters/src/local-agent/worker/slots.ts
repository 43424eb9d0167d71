/** A bounded number of slots for work, given in the order of requests. */
export interface Slots {
  /** Resolves to a function that frees the slot, once; undefined when the signal aborts first. */
  take(signal: AbortSignal): Promise<(() => void) | undefined>;
}

export function createSlots(count: number): Slots {
  let free = Math.max(1, count);
  const waiting: (() => void)[] = [];
  const release = (): void => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };
  const once = (): (() => void) => {
    let isFree = false;
    return () => {
      if (isFree) return;
      isFree = true;
      release();
    };
  };
  return {
    async take(signal) {
      if (signal.aborted) return undefined;
      if (free > 0) {
        free -= 1;
        return once();
      }
      const { promise, resolve } = Promise.withResolvers<(() => void) | undefined>();
      const enter = (): void => resolve(once());
      waiting.push(enter);
      const leave = (): void => {
        const at = waiting.indexOf(enter);
        if (at >= 0) waiting.splice(at, 1);
        // No effect if a slot was given before.
        resolve(undefined);
      };
      signal.addEventListener("abort", leave, { once: true });
      return promise;
    },
  };
}
