/** Runs at most `atOnce` tasks at a time, first in, first out. */
export function createQueue(atOnce: number): <Answer>(task: () => Promise<Answer>) => Promise<Answer> {
  const waiting: (() => void)[] = [];
  let running = 0;
  const next = (): void => {
    running -= 1;
    waiting.shift()?.();
  };
  return async (task) => {
    if (running >= atOnce) await new Promise<void>((begin) => waiting.push(begin));
    running += 1;
    try {
      return await task();
    } finally {
      next();
    }
  };
}
