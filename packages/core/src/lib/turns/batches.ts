import { gatherMore } from "./gather-more.ts";

export interface BatchOptions {
  /** Most items in one batch. */
  readonly size: number;
  /** Most batches running at once. */
  readonly atOnce: number;
}

/**
 * Items that are added within a few turns of the event loop, or while batches are running, share the next batch; a single item
 * waits for no more than its turn. `run` must not reject and must answer every item itself.
 */
export function createBatches<T>(
  run: (batch: readonly T[]) => Promise<void>,
  { size, atOnce }: BatchOptions,
): (item: T) => void {
  const waiting: T[] = [];
  let running = 0;
  async function drain(): Promise<void> {
    running++;
    while (waiting.length > 0) {
      await gatherMore(waiting);
      const batch = waiting.splice(0, size);
      // Other batches may have taken everything meanwhile.
      if (batch.length > 0) await run(batch);
    }
    running--;
  }
  return (item) => {
    waiting.push(item);
    if (running < atOnce) void drain();
  };
}
