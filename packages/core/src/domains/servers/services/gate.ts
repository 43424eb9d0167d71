/** Lets so much run at once; the rest waits in the order of its coming. */
export function createGate(width: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting = new Set<() => void>();
  let running = 0;
  return async (work) => {
    if (running < width) running += 1;
    // Whoever ends hands its place on, so `running` stays.
    else await new Promise<void>((resolve) => waiting.add(resolve));
    try {
      return await work();
    } finally {
      const [next] = waiting;
      if (next) {
        waiting.delete(next);
        next();
      } else running -= 1;
    }
  };
}
