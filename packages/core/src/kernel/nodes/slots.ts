/** Runs a bounded number of tasks at once; drops a task when the waiting line is full. */
export function createSlots(atOnce: number, mostWaiting: number) {
  const waiting: (() => Promise<void>)[] = [];
  let running = 0;
  const begin = (): void => {
    const work = running < atOnce ? waiting.shift() : undefined;
    if (!work) return;
    running += 1;
    void work().finally(() => {
      running -= 1;
      begin();
    });
  };
  return {
    /** `work` never rejects. */
    run(work: () => Promise<void>): void {
      if (waiting.length >= mostWaiting) return;
      waiting.push(work);
      begin();
    },
  };
}
