import type { Clock } from "@signalbox/core/adapter";

/** Delays items that come one by one, so that items of the same moment are handled together. */
export interface Gather<Item> {
  add(item: Item): void;
  delete(item: Item): void;
  /** Releases all items at once. */
  flush(): void;
}

interface Options<Item> {
  /** Most milliseconds that the first item waits; almost none while items come in crowds. */
  readonly ms: number;
  /** Number of items at which a group is released. */
  readonly size: number;
  readonly release: (items: Iterable<Item>) => void;
}

/** Items that fill a group in a tenth of the time are a crowd, so the next ones need not wait for more. */
const CROWD = 10;
const CROWD_MS = 1;

export function createGather<Item>(
  clock: Pick<Clock, "monotonicMs">,
  { ms, size, release }: Options<Item>,
): Gather<Item> {
  const held = new Set<Item>();
  let timer: NodeJS.Timeout | undefined;
  let since = 0;
  let isCrowd = false;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (held.size === 0) return;
    release(held);
    held.clear();
  };
  return {
    add(item) {
      if (held.size === 0) since = clock.monotonicMs();
      held.add(item);
      if (held.size >= size) {
        isCrowd = clock.monotonicMs() - since < ms / CROWD;
        flush();
      } else
        timer ??= setTimeout(
          () => {
            isCrowd = false;
            flush();
          },
          isCrowd ? CROWD_MS : ms,
        );
    },
    delete: (item) => void held.delete(item),
    flush,
  };
}
