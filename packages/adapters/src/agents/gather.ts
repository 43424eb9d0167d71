/** Holds back what comes one by one, so that what belongs together is worked on together. */
export interface Gather<Item> {
  add(item: Item): void;
  delete(item: Item): void;
  /** Lets go of everything at once. */
  flush(): void;
}

interface Options<Item> {
  /** Milliseconds that the first one waits at most. */
  readonly ms: number;
  /** So many never wait. */
  readonly size: number;
  readonly release: (items: Iterable<Item>) => void;
}

export function createGather<Item>({ ms, size, release }: Options<Item>): Gather<Item> {
  const held = new Set<Item>();
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (held.size === 0) return;
    release(held);
    held.clear();
  };
  return {
    add(item) {
      held.add(item);
      if (held.size >= size) flush();
      else timer ??= setTimeout(flush, ms);
    },
    delete: (item) => void held.delete(item),
    flush,
  };
}
